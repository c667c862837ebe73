import { withAgent } from '../agent-under-test.ts';
import { bigTag } from '../documents.ts';
import { milliseconds } from '../goal.ts';
import { addresses } from '../raw.ts';

/** Pages of 100 of a set of so many members, with their owners, after the first: somebody scrolls, and begins anew at the end. Milliseconds. */
export async function memberPages(members: number, count: number): Promise<readonly number[]> {
  const config = { sets: { settleMs: 0, maxelem: 4_194_304, families: ['inet'] } };
  return withAgent({ documents: bigTag([...addresses(members)]), config }, async (agent) => {
    await agent.settled();
    let cursor: string | undefined;
    const ask = async (): Promise<void> => {
      const page = await agent.query<{ items: readonly unknown[]; nextCursor?: string }>('sets.members', {
        ...{ group: 'tag:big', limit: 100 },
        ...(cursor === undefined ? {} : { cursor }),
      });
      if (page.items.length !== 100) throw new Error(`a page of ${page.items.length} members`);
      cursor = page.nextCursor;
    };
    await ask();
    const times: number[] = [];
    for (let done = 0; done < count; done++) times.push(await milliseconds(ask));
    return times;
  });
}

import { withAgent } from '../agent-under-test.ts';
import { pages } from '../documents.ts';
import { type Goal, milliseconds, rowOf } from '../goal.ts';
import { quantile } from '../quantile.ts';
import { addresses, rawRestore, rewriteLines } from '../raw.ts';
import { restMs } from '../rest.ts';
import { pause } from '../wait-until.ts';
import { watchLiveness } from '../watch-liveness.ts';

interface MembersPage {
  readonly items: readonly { readonly member: string; readonly owners: readonly unknown[] }[];
  readonly nextCursor?: string;
}

/** S4: very many endpoints of one address each, all in one group that is in the kernel. */
export const s4: Goal = {
  id: 'S4',
  run: async ({ isQuick, say }) => {
    const [endpoints, pagesRead] = isQuick ? [5000, 3] : [1_000_000, 40];
    const all = [...addresses(endpoints)];
    const objects = Object.fromEntries(all.map((address, i) => [`e/${i}`, { profiles: ['p'], ipv4: [address] }]));
    const documents = pages('all', objects, { profiles: { p: { tags: ['one'] } }, references: { bench: ['tag:one'] } });
    const config = { sets: { families: ['inet'], maxelem: 4_194_304 }, startTimeoutSeconds: 300 };
    return withAgent({ documents, config }, async (agent) => {
      const watched = watchLiveness(agent);
      const load = await milliseconds(() => agent.settled());
      const { answers, longestBlocked } = await watched.end();
      say(`  loaded in ${(load / 1000).toFixed(1)} s`);
      const header = await agent.namespace.ipset(['list', '-t', 'sk-v4-t.one']);
      if (!header.includes(`Number of entries: ${endpoints}`)) throw new Error(`not all are in the kernel: ${header}`);
      const raw = await rawRestore(agent.namespace, rewriteLines('raw', all));
      let page: MembersPage = { items: [] };
      const ask = async (more: object) => {
        page = await agent.query<MembersPage>('sets.members', { group: 'tag:one', limit: 200, ...more });
        if (page.items.length !== 200) throw new Error(`a page of ${page.items.length} members`);
      };
      const opened = await milliseconds(() => ask({}));
      const times: number[] = [];
      for (let read = 0; read < pagesRead; read++)
        times.push(await milliseconds(() => ask(page.nextCursor === undefined ? {} : { cursor: page.nextCursor })));
      await pause(restMs(isQuick));
      const bytes = await agent.residentBytes();
      const row = (work: string, unit: string, atMost: number, ours: number, floor: number) =>
        rowOf({ id: 'S4', work, unit, atMost }, [{ ours, floor }]);
      return [
        row(`one group of ${endpoints} endpoints: from start to kernel, against raw`, 'ms', 4, load, raw),
        row('  longest time the event loop was blocked', 'ms', 1, longestBlocked, 50),
        row('  99 of 100 answers to a console meanwhile', 'ms', 1, quantile(answers, 0.99), 100),
        row('  its first page of members with owners', 'ms', 1, opened, 1000),
        row('  95 of 100 pages that follow', 'ms', 1, quantile(times, 0.95), 50),
        row('  resident bytes an endpoint', 'bytes', 1, bytes / endpoints, 600),
      ];
    });
  },
};

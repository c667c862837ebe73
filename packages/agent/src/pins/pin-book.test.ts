import type { GroupId } from '@setkeeper/ipset';
import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { memoryFacts } from '../timed/memory-facts.ts';
import { PinBook } from './pin-book.ts';

const web = 'tag:web' as GroupId;

function world(facts = memoryFacts(), clock = createFakeClock()) {
  const applied: string[][] = [];
  const book = new PinBook({
    facts,
    clock,
    events: { emit: () => {} },
    apply: (pins) => {
      applied.push([...pins.keys()]);
      return Promise.resolve();
    },
  });
  return { book, facts, clock, applied };
}

describe('PinBook', () => {
  it('is a named reference with who and why, and survives a restart', async () => {
    const first = world();
    await first.book.add(web, 'maria', 'a rule by hand');
    const second = world(first.facts, first.clock);
    await second.book.start();
    expect(second.applied).toEqual([['pin/tag:web']]);
    expect(second.book.list()).toMatchObject([{ group: web, by: 'maria', reason: 'a rule by hand' }]);
  });

  it('keeps its time when it is pinned again', async () => {
    const { book, clock } = world();
    const before = await book.add(web, 'maria', 'one');
    clock.advance(5000);
    expect(await book.add(web, 'omar', 'two')).toMatchObject({ at: before.at, by: 'omar', reason: 'two' });
  });

  it('goes with unpin, and a second unpin says that there is none', async () => {
    const { book, applied } = world();
    await book.add(web, 'maria', 'one');
    await book.remove(web);
    expect(applied.at(-1)).toEqual([]);
    await expect(book.remove(web)).rejects.toMatchObject({ code: 'not-found' });
  });
});

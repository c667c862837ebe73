import type { GroupId } from '@setkeeper/ipset';
import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { OverrideEntry } from '../membership/membership.ts';
import { memoryFacts } from '../timed/memory-facts.ts';
import { OverrideBook } from './override-book.ts';

function world(facts = memoryFacts(), clock = createFakeClock()) {
  let ids = 0;
  const applied: (readonly OverrideEntry[])[] = [];
  const book = new OverrideBook({
    facts,
    clock,
    events: { emit: () => {} },
    families: ['inet'],
    newId: () => `o${++ids}`,
    apply: (entries) => {
      applied.push(entries);
      return Promise.resolve();
    },
    onEnded: () => {},
  });
  return { book, clock, facts, applied };
}
const wanted = (group: string, address: string, kind: 'add' | 'exclude' = 'add') => ({
  kind,
  group: group as GroupId,
  address,
  forSeconds: 60,
  by: 'maria',
  reason: 'incident 7',
});

describe('OverrideBook', () => {
  it('takes an address for a tag and a network for a network, in canonical form', async () => {
    const { book } = world();
    await book.add(wanted('tag:web', '10.0.0.1/32'));
    await book.add(wanted('net:corp', '10.1.2.3/16', 'exclude'));
    expect(book.list().map(({ address }) => address)).toEqual(['10.0.0.1', '10.1.0.0/16']);
  });

  it.each([
    ['tag:web', '10.0.0.0/24'],
    ['tag:web', 'localhost'],
    ['tag:web', '2001:db8::1'],
    ['list:trusted', '10.0.0.1'],
    ['port:web/http', '10.0.0.1'],
  ])('refuses what does not fit %s: %s', async (group, address) => {
    const { book, applied } = world();
    await expect(book.add(wanted(group, address))).rejects.toMatchObject({ code: 'bad-input', subject: group });
    expect([book.count, applied]).toEqual([0, []]);
  });

  it('ends by itself across a restart', async () => {
    const first = world();
    await first.book.add(wanted('tag:web', '10.0.0.1'));
    first.book.stop();
    const second = world(first.facts, first.clock);
    await second.book.start();
    expect(second.applied.at(-1)?.map(({ member }) => member)).toEqual(['10.0.0.1']);
    second.clock.advance(60_000);
    expect([second.book.list(), second.applied.at(-1)]).toEqual([[], []]);
  });

  it('replaces the override that stands on the same member', async () => {
    const { book, applied } = world();
    await book.add(wanted('tag:web', '10.0.0.1'));
    await book.add(wanted('tag:web', '10.0.0.1', 'exclude'));
    expect(applied.at(-1)).toMatchObject([{ id: 'o2', kind: 'exclude' }]);
  });

  it('names an override that there is not', async () => {
    await expect(world().book.remove('o9')).rejects.toMatchObject({ code: 'not-found', subject: 'o9' });
  });
});

import type { ListedSet } from '@setkeeper/ipset';
import { listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { HolderReading } from '../holders/holder-reading.ts';
import { LeakTracker } from './leak-tracker.ts';

const set = (name: string, references: number): ListedSet => {
  const [built] = listedSets({ name, references });
  if (built === undefined) throw new Error('no set was built');
  return built;
};
const reading = (at: number, held: readonly string[] = []): HolderReading => ({
  at,
  holders: new Map(held.map((name) => [name, [{ kind: 'iptables-nft', where: 'filter INPUT 1', count: 1 }]])),
  possible: [],
  dumps: [],
  unreadable: [],
});

describe('LeakTracker', () => {
  it('calls an unexplained reference a leak only when it lasts', () => {
    const tracker = new LeakTracker();
    tracker.observe([set('a', 1)], reading(1000));
    expect(tracker.leaks({ now: 60_999, afterSeconds: 60, reading: reading(1000) })).toEqual([]);
    expect(tracker.leaks({ now: 61_000, afterSeconds: 60, reading: reading(1000) })).toMatchObject([
      { kind: 'kernel', name: 'a', count: 1 },
    ]);
  });

  it('explains a reference by its holder', () => {
    const tracker = new LeakTracker();
    tracker.observe([set('a', 2)], reading(0, ['a']));
    expect(tracker.unexplained()).toEqual([{ name: 'a', count: 1, since: 0 }]);
    tracker.observe([set('a', 1)], reading(5, ['a']));
    expect(tracker.unexplained()).toEqual([]);
  });

  it('begins anew when the reference came back after it was gone', () => {
    const tracker = new LeakTracker();
    tracker.observe([set('a', 1)], reading(0));
    tracker.observe([set('a', 0)], reading(10));
    tracker.observe([set('a', 1)], reading(20));
    expect(tracker.since('a')).toBe(20);
  });
});

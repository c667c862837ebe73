import { listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { type HolderReading, NO_HOLDERS } from '../holders/holder-reading.ts';
import { LeakTracker } from './leak-tracker.ts';

const rule = { kind: 'iptables-nft', where: 'filter INPUT 1', count: 1 } as const;
const reading = (at: number, references: Record<string, number>, more: Partial<HolderReading> = {}): HolderReading => ({
  ...NO_HOLDERS,
  at,
  sets: listedSets(...Object.entries(references).map(([name, count]) => ({ name, references: count }))),
  ...more,
});
const holding = (...names: readonly string[]) => ({ holders: new Map(names.map((name) => [name, [rule]])) });

describe('LeakTracker', () => {
  it('calls an unexplained reference a leak only when it lasts', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(1000, { a: 1 }));
    expect(tracker.confirmAt(60)).toBe(61_000);
    tracker.observe(reading(60_999, { a: 1 }));
    expect(tracker.leaks(60)).toEqual([]);
    tracker.observe(reading(61_000, { a: 1 }));
    expect(tracker.leaks(60)).toMatchObject([{ kind: 'kernel', name: 'a', count: 1 }]);
    expect(tracker.confirmAt(60)).toBeNull();
  });

  it('explains a reference by its holder', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(0, { a: 2 }, holding('a')));
    expect(tracker.unexplained()).toEqual([{ name: 'a', count: 1, since: 0 }]);
    tracker.observe(reading(5, { a: 1 }, holding('a')));
    expect(tracker.unexplained()).toEqual([]);
  });

  it('begins anew when the reference came back after it was gone', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(0, { a: 1 }));
    tracker.observe(reading(10, { a: 0 }));
    tracker.observe(reading(20, { a: 1 }));
    expect(tracker.of('a')?.since).toBe(20);
  });

  it('concludes nothing of a set whose references moved under the reading', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(0, { a: 1, b: 0 }));
    tracker.observe(reading(10, { a: 0, b: 1 }, { moving: new Set(['a', 'b']) }));
    expect(tracker.unexplained()).toEqual([{ name: 'a', count: 1, since: 0 }]);
  });

  it('keeps its knowledge when a reading was blind', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(0, { a: 1 }));
    tracker.observe({ ...reading(10, {}), sets: null, isConclusive: false });
    expect(tracker.of('a')).toEqual({ name: 'a', count: 1, since: 0 });
  });

  it('calls nothing a leak while rules could not be read', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(0, { a: 1 }, { isConclusive: false }));
    tracker.observe(reading(1e9, { a: 1 }, { isConclusive: false }));
    expect(tracker.unexplained()).toHaveLength(1);
    expect(tracker.leaks(60)).toEqual([]);
  });

  it('waits longer while an expired member of a list may hold the set', () => {
    const tracker = new LeakTracker();
    tracker.observe(reading(0, { a: 1 }, { expired: 1 }));
    tracker.observe(reading(100_000, { a: 1 }, { expired: 1 }));
    expect(tracker.leaks(60)).toEqual([]);
    tracker.observe(reading(100_000, { a: 1 }, { expired: 0 }));
    expect(tracker.leaks(60)).toHaveLength(1);
  });

  it('advises the command that removes a possible holder', () => {
    const compat = {
      kind: 'nft-compat',
      where: 'ip hidden c handle 2',
      count: 1,
      removeWith: 'nft delete rule ip hidden c handle 2',
    } as const;
    const tracker = new LeakTracker();
    for (const at of [0, 60_000]) tracker.observe(reading(at, { a: 1 }, { possible: [compat] }));
    expect(tracker.leaks(60)[0]).toMatchObject({
      possibleHolders: [compat],
      advice: expect.stringContaining('nft delete rule ip hidden c handle 2'),
    });
  });
});

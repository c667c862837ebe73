import { createFakeClock, listedSets } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { type HolderReader, type HolderReading, NO_HOLDERS } from '../holders/holder-reading.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import { type HostNews, HostObserver } from './host-observer.ts';

/** An observer over headers that a test sets and a holder reader that sees nothing hold anything. */
function world(leaksAfterSeconds = 60) {
  const clock = createFakeClock();
  let references: Record<string, number> = {};
  let readings = 0;
  const sets = () => listedSets(...Object.entries(references).map(([name, count]) => ({ name, references: count })));
  const holders: HolderReader = {
    last: () => null,
    read: async (): Promise<HolderReading> => {
      readings += 1;
      return { ...NO_HOLDERS, at: clock.now(), sets: sets() };
    },
  };
  const unused = () => Promise.reject(new Error('not asked for here'));
  const reader: KernelReader = {
    headers: async () => ({ ok: true, value: sets(), at: clock.now(), warnings: [] }),
    header: unused,
    members: unused,
    everything: unused,
    dumps: async () => [],
  };
  const news: HostNews[] = [];
  const observer = new HostObserver({ reader, holders, clock, leaksAfterSeconds });
  observer.listen((each) => news.push(each));
  return {
    clock,
    observer,
    news,
    readings: () => readings,
    /** Somebody reads headers, and what follows from it happens. */
    see: async (now: Record<string, number>): Promise<void> => {
      references = now;
      observer.hear({ ok: true, value: sets(), at: clock.now(), warnings: [] });
      await settle();
    },
    later: async (ms: number): Promise<void> => {
      clock.advance(ms);
      await settle();
    },
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('HostObserver', () => {
  it('reads rules once at first, and not again while no number of references changes', async () => {
    const w = world();
    w.observer.start(null);
    await w.see({ a: 0, b: 0 });
    await w.later(0);
    expect(w.readings()).toBe(1);
    for (let i = 0; i < 20; i += 1) {
      await w.later(10_000);
      await w.see({ a: 0, b: 0, [`c${i}`]: 0 });
    }
    expect(w.readings()).toBe(1);
  });

  it('reads rules again when a number changed, but at most once a minute in the background', async () => {
    const w = world(1e6);
    w.observer.start(null);
    await w.see({ a: 0 });
    await w.later(0);
    await w.see({ a: 1 });
    await w.later(59_000);
    expect(w.readings()).toBe(1);
    await w.later(1_000);
    expect(w.readings()).toBe(2);
    await w.see({ a: 2 });
    await w.later(60_000);
    expect(w.readings()).toBe(3);
  });

  it('reads at once when somebody asks', async () => {
    const w = world();
    w.observer.start(null);
    await w.see({ a: 1 });
    await w.observer.readHolders();
    await w.observer.readHolders();
    expect(w.readings()).toBe(2);
  });

  it('confirms a pending leak by one more reading when it would be one', async () => {
    const w = world(90);
    w.observer.start(null);
    await w.see({ a: 1 });
    await w.later(0);
    expect(w.readings()).toBe(1);
    await w.later(89_000);
    expect([w.readings(), w.observer.leaks.leaks(90)]).toEqual([1, []]);
    await w.later(1_000);
    expect(w.readings()).toBe(2);
    expect(w.observer.leaks.leaks(90)).toMatchObject([{ name: 'a', count: 1 }]);
    await w.later(600_000);
    expect(w.readings()).toBe(2);
  });

  it('tells of what is new, and of nothing twice', async () => {
    const w = world();
    await w.see({ a: 0 });
    await w.see({ a: 0 });
    await w.see({ a: 1 });
    await w.observer.readHolders();
    await w.observer.readHolders();
    expect(w.news).toEqual(['sets', 'nothing', 'sets', 'holders', 'nothing']);
  });

  it('keeps what it knew when the kernel cannot be read', async () => {
    const w = world();
    await w.see({ a: 1 });
    w.observer.hear({ ok: false, fault: { code: 'permission', message: 'no', raw: '' }, at: 1 });
    expect(w.observer.headers?.sets).toHaveLength(1);
    expect(w.observer.fault?.code).toBe('permission');
  });

  it('polls headers where nobody else reads them', async () => {
    const w = world();
    w.observer.start(10);
    await settle();
    await w.later(10_000);
    await w.later(10_000);
    w.observer.stop();
    await w.later(60_000);
    expect(w.clock.waiting).toBe(0);
  });
});

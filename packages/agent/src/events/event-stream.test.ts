import type { AgentEvent } from '@setkeeper/api';
import { createFakeClock, type FakeClock } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { createEventRing } from './event-ring.ts';
import { createEventStream, type EventStream, heartbeatMs } from './event-stream.ts';

const bench = (ring = createEventRing('e')) => {
  const clock = createFakeClock();
  return { clock, events: createEventStream({ clock, epoch: 'e', ring }) };
};

/** Reads the next `count` events of a reader; nothing is read ahead. */
function reader(events: EventStream, lastEventId?: string) {
  const left = new AbortController();
  const iterator = events.watch(lastEventId, left.signal)[Symbol.asyncIterator]();
  return {
    leave: () => left.abort(),
    take: async (count: number): Promise<readonly AgentEvent[]> => {
      const taken: AgentEvent[] = [];
      while (taken.length < count) {
        const { value, done } = await iterator.next();
        if (done === true) break;
        taken.push(value);
      }
      return taken;
    },
  };
}
const types = (events: readonly AgentEvent[]) => events.map(({ type }) => type);
/** Single events, apart enough not to be joined. */
const emitRuns = (events: EventStream, clock: FakeClock, count: number) => {
  for (let index = 0; index < count; index += 1) {
    events.emit({ type: 'run-started', run: `r${index}` });
    clock.advance(300);
  }
};

describe('a reader of events', () => {
  it('without an id begins with a reset and gets what comes after it', async () => {
    const { events } = bench();
    events.emit({ type: 'run-started', run: 'before' });
    const read = reader(events);
    expect(types(await read.take(1))).toEqual(['reset']);
    events.emit({ type: 'run-started', run: 'after' });
    expect(await read.take(1)).toMatchObject([{ run: 'after', id: 'e-2' }]);
  });

  it('with an id gets everything after it, once', async () => {
    const { events, clock } = bench();
    emitRuns(events, clock, 5);
    const read = await reader(events, 'e-2').take(3);
    expect(read.map(({ run }) => run)).toEqual(['r2', 'r3', 'r4']);
  });

  it.each(['', 'other-3', 'e-99', 'e--1', 'e-x', `e-${'9'.repeat(400)}`])(
    'with the unknown id "%s" begins with a reset',
    async (id) => {
      const { events, clock } = bench();
      emitRuns(events, clock, 5);
      expect(types(await reader(events, id).take(1))).toEqual(['reset']);
    },
  );

  it('with an id that fell out of the ring begins with a reset', async () => {
    const { events, clock } = bench(createEventRing('e', { eventsMax: 3, bytesMax: 1e9 }));
    emitRuns(events, clock, 10);
    expect(types(await reader(events, 'e-6').take(1))).toEqual(['reset']);
    expect((await reader(events, 'e-7').take(3)).map(({ run }) => run)).toEqual(['r7', 'r8', 'r9']);
  });

  it('that is too slow gets one reset and goes on with what is new', async () => {
    const { events, clock } = bench(createEventRing('e', { eventsMax: 3, bytesMax: 1e9 }));
    const read = reader(events);
    await read.take(1);
    emitRuns(events, clock, 10);
    expect(types(await read.take(1))).toEqual(['reset']);
    events.emit({ type: 'run-started', run: 'new' });
    expect(await read.take(1)).toMatchObject([{ run: 'new' }]);
  });

  it('gets a heartbeat with the newest id while nothing happens', async () => {
    const { events, clock } = bench();
    const read = reader(events);
    await read.take(1);
    const next = read.take(1);
    await Promise.resolve();
    clock.advance(heartbeatMs);
    expect(await next).toMatchObject([{ type: 'heartbeat', id: 'e-0' }]);
  });

  it('leaves nothing behind', async () => {
    const { events, clock } = bench();
    const read = reader(events);
    await read.take(1);
    const next = read.take(1);
    await Promise.resolve();
    read.leave();
    expect(await next).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});

describe('the ring', () => {
  it('never holds more than its bytes', () => {
    const ring = createEventRing('e', { eventsMax: 10_000, bytesMax: 20_000 });
    for (let index = 0; index < 1_000; index += 1)
      ring.push({ at: '', type: 'sets-changed', message: 'x'.repeat(1_000) });
    expect(ring.newest - ring.oldest).toBeLessThan(11);
    expect(ring.get(ring.newest)?.message).toHaveLength(1_000);
    expect(ring.get(ring.oldest - 1)).toBeUndefined();
  });
});

describe('a flood', () => {
  it('of one type is a few events a second, and the last says what changed', async () => {
    const { events, clock } = bench();
    const read = reader(events);
    await read.take(1);
    for (let index = 0; index < 10_000; index += 1) {
      events.emit({ type: 'sets-changed', groups: [`tag:${index}`] });
      clock.advance(1);
    }
    clock.advance(1_000);
    events.emit({ type: 'model-changed' });
    const seen: AgentEvent[] = [];
    while (seen.at(-1)?.type !== 'model-changed') seen.push(...(await read.take(1)));
    expect(seen.length).toBeLessThan(50);
    const named = seen.reduce((sum, { groups = [], more = 0 }) => sum + groups.length + more, 0);
    expect(named).toBe(10_000);
  });

  it('names at most 100 groups and counts the rest', async () => {
    const { events } = bench();
    events.emit({ type: 'sets-changed', groups: Array.from({ length: 250 }, (_, index) => `tag:${index}`) });
    const [event] = await reader(events, 'e-0').take(1);
    expect([event?.groups?.length, event?.more]).toEqual([100, 150]);
  });

  it('of runs lets the first ones through one by one, and never tells progress after the end', async () => {
    const { events, clock } = bench();
    for (let index = 0; index < 30; index += 1)
      events.emit({ type: 'run-progress', run: 'r', progress: { done: index, total: 30, rejected: 0 } });
    events.emit({ type: 'run-finished', run: 'r' });
    clock.advance(10_000);
    events.emit({ type: 'model-changed' });
    const seen: AgentEvent[] = [];
    const read = reader(events, 'e-0');
    while (seen.at(-1)?.type !== 'model-changed') seen.push(...(await read.take(1)));
    expect(types(seen)).toEqual(['run-progress', 'run-progress', 'run-progress', 'run-finished', 'model-changed']);
    expect(seen[2]?.progress?.done).toBe(29);
  });
});

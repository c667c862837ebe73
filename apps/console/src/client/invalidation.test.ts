import { describe, expect, it } from 'vitest';
import { InvalidationGate } from './invalidation.ts';

function world() {
  let nowMs = 10_000;
  const due: { at: number; then: () => void }[] = [];
  const refreshed: string[] = [];
  const gate = new InvalidationGate({
    nowMs: () => nowMs,
    after: (ms, then) => {
      const timer = { at: nowMs + ms, then };
      due.push(timer);
      return () => due.splice(due.indexOf(timer), 1);
    },
    refresh: (noun) => refreshed.push(noun),
  });
  const advance = (ms: number) => {
    const end = nowMs + ms;
    for (;;) {
      const next = due.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > end) break;
      nowMs = next.at;
      due.splice(due.indexOf(next), 1);
      next.then();
    }
    nowMs = end;
  };
  return { gate, refreshed, advance };
}

describe('InvalidationGate', () => {
  it('refreshes soon after the first event', () => {
    const { gate, refreshed, advance } = world();
    gate.touch(['sets']);
    advance(100);
    expect(refreshed).toEqual(['sets']);
  });

  it('turns ten thousand events in ten seconds into about ten refreshes, the last one after the last event', () => {
    const { gate, refreshed, advance } = world();
    for (let event = 0; event < 10_000; event += 1) {
      gate.touch(['sets']);
      advance(1);
    }
    const before = refreshed.length;
    expect(before).toBeLessThanOrEqual(11);
    gate.touch(['sets']);
    advance(2_000);
    expect(refreshed.length).toBe(before + 1);
  });

  it('asks less often for what makes the agent read the kernel', () => {
    const { gate, refreshed, advance } = world();
    for (let step = 0; step < 80; step += 1) {
      gate.touch(['kernel', 'status']);
      advance(100);
    }
    expect(refreshed.filter((noun) => noun === 'kernel').length).toBeLessThanOrEqual(3);
    expect(refreshed.filter((noun) => noun === 'status').length).toBeGreaterThanOrEqual(7);
  });

  it('refreshes nothing after it was stopped', () => {
    const { gate, refreshed, advance } = world();
    gate.touch(['runs']);
    gate.stop();
    advance(5_000);
    expect(refreshed).toEqual([]);
  });
});

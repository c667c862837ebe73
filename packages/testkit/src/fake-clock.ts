/** A clock that stands still until a test moves it. It has the shape of the agent's `Clock`. */
export interface FakeClock {
  now(): number;
  monotonic(): number;
  after(ms: number, run: () => void): () => void;
  /** Moves time on; timers that fall due run in their order, each at its own time. */
  advance(ms: number): void;
  /** Sets the wall clock alone, as an operator or NTP does. */
  jumpTo(now: number): void;
  /** Timers that wait. */
  readonly waiting: number;
}

/** Begins at noon of the first of June 2026, UTC, unless told otherwise. */
export function createFakeClock(start: number = Date.UTC(2026, 5, 1, 12)): FakeClock {
  let monotonic = 0;
  let offset = start;
  const timers = new Set<{ readonly due: number; readonly run: () => void }>();

  const nextDue = (end: number) => {
    let next: { readonly due: number; readonly run: () => void } | null = null;
    for (const timer of timers) if (timer.due <= end && (next === null || timer.due < next.due)) next = timer;
    return next;
  };

  return {
    now: () => offset + monotonic,
    monotonic: () => monotonic,
    after: (ms, run) => {
      const timer = { due: monotonic + Math.max(0, ms), run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: (ms) => {
      const end = monotonic + ms;
      for (let timer = nextDue(end); timer !== null; timer = nextDue(end)) {
        timers.delete(timer);
        monotonic = Math.max(monotonic, timer.due);
        timer.run();
      }
      monotonic = end;
    },
    jumpTo: (now) => {
      offset = now - monotonic;
    },
    get waiting() {
      return timers.size;
    },
  };
}

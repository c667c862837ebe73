/** Lets few hash passwords at a time: each takes a thread and 32 MiB, and anybody may ask for it. */
export interface HashingGate {
  /** Runs `work` when there is room; null when too many wait already. */
  enter<Result>(work: () => Promise<Result>): Promise<Result | null>;
}

/** Makes a gate. */
export function createHashingGate(limits: { readonly inside: number; readonly waiting: number }): HashingGate {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(work) {
      if (inside < limits.inside) inside += 1;
      else if (waiting.length >= limits.waiting) return null;
      // Whoever leaves hands the place over, so nobody slips in between.
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) inside -= 1;
        else next();
      }
    },
  };
}

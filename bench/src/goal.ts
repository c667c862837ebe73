/** One line of the table. `ratio` is ours against the floor; lower is better unless the goal says otherwise. */
export interface Row {
  readonly id: string;
  readonly work: string;
  readonly ours: number;
  readonly floor: number;
  readonly unit: string;
  readonly ratio: number;
  /** In words: `<= 0.55`. */
  readonly goal: string;
  readonly reached: boolean;
  /** Pairs that were measured. */
  readonly n: number;
  /** From the smallest to the largest ratio of a pair. */
  readonly spread: readonly [number, number];
}

export interface GoalContext {
  /** Small sizes, for correctness alone. */
  readonly isQuick: boolean;
  /** Says on stderr what goes on. */
  readonly say: (what: string) => void;
}

/** A goal of docs/PERFORMANCE.md. */
export interface Goal {
  readonly id: string;
  run(context: GoalContext): Promise<readonly Row[]>;
}

/** Ours and the floor of one pair, in the row's unit. */
export interface Pair {
  readonly ours: number;
  readonly floor: number;
}

/** Makes a row of pairs: medians, the median of the ratios, and their spread. */
export function rowOf(
  facts: { readonly id: string; readonly work: string; readonly unit: string; readonly atMost: number },
  pairs: readonly Pair[],
): Row {
  const ratios = pairs.map(({ ours, floor }) => ours / floor);
  const ratio = median(ratios);
  return {
    id: facts.id,
    work: facts.work,
    ours: round(median(pairs.map(({ ours }) => ours))),
    floor: round(median(pairs.map(({ floor }) => floor))),
    unit: facts.unit,
    ratio: round(ratio),
    goal: `<= ${round(facts.atMost)}`,
    reached: ratio <= facts.atMost,
    n: pairs.length,
    spread: [round(Math.min(...ratios)), round(Math.max(...ratios))],
  };
}

/** Measures pairs one after the other, so that what disturbs the machine disturbs both. */
export async function pairs(count: number, pair: () => Promise<Pair>): Promise<readonly Pair[]> {
  const measured: Pair[] = [];
  for (let done = 0; done < count; done++) measured.push(await pair());
  return measured;
}

/** Milliseconds that something takes. */
export async function milliseconds(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

/** The middle of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const round = (value: number): number => Number(value.toPrecision(4));

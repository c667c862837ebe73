import { median, type Pair } from '../goal.ts';
import { quantile } from '../quantile.ts';
import type { LinePlot, PlotPoint } from './line-plot.ts';

/** What was measured at one size: each figure of each line. */
export type SizeFigures = Readonly<Record<string, readonly number[]>>;

/** An operation whose cost is drawn over sizes. */
export interface CostPlot {
  /** Names the file: `one-member`. */
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly xTitle: string;
  readonly yTitle: string;
  /** Lines that are compared with. */
  readonly floors: readonly string[];
  /** From small to large. */
  readonly sizes: readonly number[];
  /** All figures of one size, by the name of their line. A line may be without one at a size that it cannot have. */
  readonly measure: (size: number) => Promise<SizeFigures>;
}

/** Draws what was measured: the middle, and what the middle half of the figures spreads over. */
export function drawn(plot: CostPlot, measured: ReadonlyMap<number, SizeFigures>): LinePlot {
  const names = new Set([...measured.values()].flatMap((figures) => Object.keys(figures)));
  const points = (name: string): readonly PlotPoint[] =>
    [...measured].flatMap(([x, figures]) => {
      const values = (figures[name] ?? []).filter((value) => value > 0);
      return values.length === 0
        ? []
        : [{ x, y: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) }];
    });
  const { title, says, xTitle, yTitle, floors } = plot;
  const series = [...names].map((name) => ({ name, isFloor: floors.includes(name), points: points(name) }));
  return { title, says, xTitle, yTitle, series };
}

/** Pairs as the figures of two lines. */
export const lines = (ours: string, floor: string, pairs: readonly Pair[]): SizeFigures => ({
  [ours]: pairs.map((pair) => pair.ours),
  [floor]: pairs.map((pair) => pair.floor),
});

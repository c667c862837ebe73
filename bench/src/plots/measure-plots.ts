import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isToldToEnd, within } from '../interruption.ts';
import { allPlots } from './all-plots.ts';
import { type CostPlot, drawn, type SizeFigures } from './cost-plot.ts';
import { linePlot } from './line-plot.ts';

export interface PlotOrder {
  /** Ids of the plots that are wanted; all, if none is named. */
  readonly wanted: readonly string[];
  readonly isQuick: boolean;
  /** Where the SVG documents go. */
  readonly folder: string;
  readonly say: (what: string) => void;
}

const SIZE_SECONDS_MAX = 300;

/** Measures every plot that is wanted and writes each when it is measured. Gives the ids of those that broke. */
export async function measurePlots({ wanted, isQuick, folder, say }: PlotOrder): Promise<readonly string[]> {
  const broken: string[] = [];
  await mkdir(folder, { recursive: true });
  for (const plot of allPlots(isQuick ? 3 : 6)) {
    if (isToldToEnd()) break;
    if (wanted.length > 0 && !wanted.includes(plot.id)) continue;
    try {
      const measured = await measureSizes(plot, say);
      await writeFile(join(folder, `${plot.id}.svg`), linePlot(drawn(plot, measured)));
    } catch (error) {
      broken.push(plot.id);
      say(`  ${plot.id} broke: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return broken;
}

async function measureSizes(plot: CostPlot, say: (what: string) => void): Promise<ReadonlyMap<number, SizeFigures>> {
  const measured = new Map<number, SizeFigures>();
  for (const size of plot.sizes) {
    say(`${plot.id} at ${size} ...`);
    const figures = await within(SIZE_SECONDS_MAX, () => plot.measure(size));
    measured.set(size, figures);
    for (const [name, values] of Object.entries(figures))
      say(`  ${name}: ${values.map((value) => value.toPrecision(3)).join(' ')}`);
  }
  return measured;
}

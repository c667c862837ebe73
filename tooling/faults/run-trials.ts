import { seededRandom } from '@setkeeper/testkit';
import { withFaultHost } from './host/fault-host.ts';
import { createFaultModel, type FaultModel } from './load/fault-model.ts';
import type { Figure, Sizes, Trial } from './trial.ts';

const ENDPOINTS = 400;

/** What became of all trials. */
export interface TrialResults {
  readonly passed: number;
  readonly failures: readonly string[];
  /** What was seen, as lines for the end of a log. */
  readonly table: readonly string[];
}

/** Runs one trial after the other, each on a host of its own; one that fails stops no other. */
export async function runTrials(
  trials: readonly Trial[],
  o: { readonly sizes: Sizes; readonly seed: number; readonly say: (line: string) => void },
): Promise<TrialResults> {
  const failures: string[] = [];
  const figures: Figure[] = [];
  const lines: string[] = [];
  for (const [index, trial] of trials.entries()) {
    const started = performance.now();
    // Of its own, so that a trial run alone does what it does among the others.
    const random = seededRandom(o.seed + trial.name.length * 1_000 + (trial.name.codePointAt(0) ?? 0));
    let model: FaultModel | undefined;
    try {
      const seen = await withFaultHost(
        {
          ...trial.host,
          prepare: (directory) => {
            model = createFaultModel(directory, trial.endpoints ?? ENDPOINTS, random);
          },
        },
        (host) => {
          if (model === undefined) throw new Error('the host was started without a model');
          return trial.run({ host, model, random, sizes: o.sizes, say: (line) => o.say(`  ${trial.name}: ${line}`) });
        },
      );
      figures.push(...seen.figures);
      lines.push(...(seen.lines ?? []));
      o.say(`ok      ${trial.title} (${seconds(started)})`);
    } catch (error) {
      failures.push(`${trial.title} (seed ${o.seed}): ${firstLine(error)}`);
      figures.push([trial.title, 'FAILED']);
      o.say(`FAILED  ${trial.title} (${seconds(started)}, seed ${o.seed}, trial ${index + 1})`);
      o.say(error instanceof Error ? error.message : String(error));
    }
  }
  const width = Math.max(...figures.map(([what]) => what.length)) + 2;
  const table = [
    ...lines,
    `Faults, seed ${o.seed}:`,
    ...figures.map(([what, seen]) => `  ${what.padEnd(width)}${seen}`),
  ];
  return { passed: trials.length - failures.length, failures, table };
}

const seconds = (started: number): string => `${((performance.now() - started) / 1000).toFixed(1)} s`;
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

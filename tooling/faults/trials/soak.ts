import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launcherOf, residentBytes } from '../host/descendants.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { until } from '../host/until.ts';
import type { Trial } from '../trial.ts';

const EVENTS_A_GENERATION = 2_000;
const MIB = 1024 * 1024;
/** So long the heap grows to what it works with best; what is kept for readers (10,000 events, the newest runs) fills up. */
const WARM_EVENTS = 150_000;
/** What an agent may have in memory: while it warms up, and after any number of events. */
const WARMING_MIB_MAX = 360;
const AGENT_MIB_MAX = 480;
const LAUNCHER_MIB_MAX = 80;
/** How much more it may have in the last quarter after its warming up than in the first: what grows with events grows more. */
const GROWTH_MIB_MAX = 64;
const QUARTER_MIN = 20;
const HISTORY_MIB = 16;
/** Beside the history: the store itself, and two write-ahead logs, which begin anew at 32 MiB or a little later. */
const STORE_MIB_MAX = HISTORY_MIB + 144;

/** Changes of the model without end: memory and store stay bounded, and the kernel is what the last one says. */
export const soak: Trial = {
  name: 'soak',
  title: 'memory and store over many events',
  endpoints: 16_000,
  host: { config: { history: { maxMiB: HISTORY_MIB, runs: 500 } } },
  run: async ({ host, model, sizes, say }) => {
    const { pid } = host.agent;
    const launcher = await until('the launcher', () => launcherOf(pid));
    const samples: number[] = [];
    let events = 0;
    let launcherMax = 0;
    for (let generation = 0; events < sizes.events; generation += 1) {
      events += model.change(EVENTS_A_GENERATION);
      await kernelAgrees(host, { must: model.wanted() });
      samples.push(residentBytes(pid) / MIB);
      launcherMax = Math.max(launcherMax, residentBytes(launcher) / MIB);
      if (generation % 50 === 49) say(`${events} events, ${samples.at(-1)?.toFixed(0)} MiB`);
    }
    host.requireWell();
    const warm = samples.slice(WARM_EVENTS / EVENTS_A_GENERATION);
    const quarter = Math.floor(warm.length / 4);
    const [first, last] = [median(warm.slice(0, quarter)), median(warm.slice(-quarter))];
    const most = Math.max(...samples);
    const storeMiB = folderBytes(dirname(host.stores.agent)) / MIB;
    const limits: readonly (readonly [string, number, number])[] = [
      ['the agent', most, warm.length === 0 ? WARMING_MIB_MAX : AGENT_MIB_MAX],
      ['the launcher', launcherMax, LAUNCHER_MIB_MAX],
      ['store and history', storeMiB, STORE_MIB_MAX],
      ['growth when warm', quarter < QUARTER_MIN ? 0 : last - first, GROWTH_MIB_MAX],
    ];
    for (const [what, seen, max] of limits)
      if (!(seen <= max)) throw new Error(`${what}: ${seen.toFixed(1)} MiB, at most ${max}`);
    return {
      figures: [
        [
          'events soaked',
          `${events}; agent ${most.toFixed(0)} MiB at most${quarter < QUARTER_MIN ? '' : ` (when warm ${first.toFixed(0)}, at the end ${last.toFixed(0)})`}, launcher ${launcherMax.toFixed(0)}, store and history ${storeMiB.toFixed(0)}`,
        ],
      ],
    };
  },
};

/** Store, history and their write-ahead logs. */
function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

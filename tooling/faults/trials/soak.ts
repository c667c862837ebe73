import { statSync } from 'node:fs';
import { launcherOf, residentBytes } from '../host/descendants.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { until } from '../host/until.ts';
import type { Trial } from '../trial.ts';

const EVENTS_A_GENERATION = 1_000;
const MIB = 1024 * 1024;
/** What an agent may have in memory after any number of events on this model; the plateau lies well below. */
const AGENT_MIB_MAX = 400;
const LAUNCHER_MIB_MAX = 80;
/** How much the last quarter may have above the second one: what grows with events grows more. */
const GROWTH_MIB_MAX = 48;
const HISTORY_MIB = 16;
const STORE_MIB_MAX = 4 * HISTORY_MIB;

/** Changes of the model without end: memory and store stay bounded, and the kernel is what the last one says. */
export const soak: Trial = {
  name: 'soak',
  title: 'memory and store over many events',
  endpoints: 8_000,
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
      if (generation % 200 === 199) say(`${events} events, ${samples.at(-1)?.toFixed(0)} MiB`);
    }
    host.requireWell();
    const quarter = Math.floor(samples.length / 4);
    const [early, late] = [median(samples.slice(quarter, 2 * quarter)), median(samples.slice(-quarter))];
    const storeMiB = statSync(host.stores.agent).size / MIB;
    const limits: readonly (readonly [string, number, number])[] = [
      ['the agent', Math.max(...samples), AGENT_MIB_MAX],
      ['the launcher', launcherMax, LAUNCHER_MIB_MAX],
      ['growth from the second to the last quarter', late - early, GROWTH_MIB_MAX],
      ['the store', storeMiB, STORE_MIB_MAX],
    ];
    for (const [what, seen, max] of limits)
      if (!(seen <= max)) throw new Error(`${what}: ${seen.toFixed(1)} MiB, at most ${max}`);
    return {
      figures: [
        [
          'events soaked',
          `${events}; agent ${Math.max(...samples).toFixed(0)} MiB at most (median ${early.toFixed(0)} early, ${late.toFixed(0)} late), launcher ${launcherMax.toFixed(0)}, store ${storeMiB.toFixed(0)}`,
        ],
      ],
    };
  },
};

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

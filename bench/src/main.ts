/**
 * `pnpm bench [P1 ...] [--quick] [--json] [--tally FILE]`: measures, prints, and exits 0 whether or not a goal is reached; 1 if
 * what one checks was not so. `--tally` leaves what `./test` counts.
 * `pnpm bench --plots [rewrite ...] [--quick] [--into FOLDER]`: draws what each operation costs over sizes instead.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { whyNoNamespace } from '@setkeeper/testkit';
import type { Goal } from './goal.ts';
import { goals } from './goals/all-goals.ts';
import { isToldToEnd } from './interruption.ts';
import { type Measured, measureGoals } from './measure-goals.ts';
import { allPlots } from './plots/all-plots.ts';
import { measurePlots } from './plots/measure-plots.ts';
import { table } from './table.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    tally: { type: 'string' },
    plots: { type: 'boolean', default: false },
    into: { type: 'string', default: fileURLToPath(new URL('../../docs/plots', import.meta.url)) },
  },
  allowPositionals: true,
});
const say = (what: string): void => console.error(what);
const NOTHING: Measured = { rows: [], done: [], broken: [], late: [] };
/** As a shell tells it. */
const ENDED_BY_SIGNAL = 143;
const USAGE = 2;

process.exitCode = await (values.plots ? plots() : bench());

async function bench(): Promise<number> {
  const wanted = new Set(positionals.map((id) => (id.toUpperCase() === 'P12' ? 'P11' : id.toUpperCase())));
  const measuring = goals.filter(({ id }) => wanted.size === 0 || wanted.has(id));
  const unknown = [...wanted].filter((id) => !goals.some((goal) => goal.id === id));
  if (unknown.length > 0) {
    say(`no such goal: ${unknown.join(', ')}; there are ${[...new Set(goals.map(({ id }) => id))].join(', ')}`);
    return USAGE;
  }
  const reason = await whyNoNamespace();
  const isSkipped = reason !== null;
  if (isSkipped) say(`nothing can be measured here: ${reason}`);
  const measured = isSkipped ? NOTHING : await measureGoals(measuring, { isQuick: values.quick, say });
  console.log(values.json ? JSON.stringify(measured.rows) : table(measured.rows, !values.quick));
  if (values.tally !== undefined) await writeFile(values.tally, JSON.stringify(tallyOf(measured, measuring, reason)));
  if (isToldToEnd()) return ENDED_BY_SIGNAL;
  return measured.broken.length > 0 ? 1 : 0;
}

async function plots(): Promise<number> {
  const ids = allPlots(6).map(({ id }) => id);
  const unknown = positionals.filter((id) => !ids.includes(id));
  if (unknown.length > 0) {
    say(`no such plot: ${unknown.join(', ')}; there are ${ids.join(', ')}`);
    return USAGE;
  }
  const reason = await whyNoNamespace();
  if (reason !== null) {
    say(`nothing can be measured here: ${reason}`);
    return 1;
  }
  const broken = await measurePlots({ wanted: positionals, isQuick: values.quick, folder: values.into, say });
  if (isToldToEnd()) return ENDED_BY_SIGNAL;
  return broken.length > 0 ? 1 : 0;
}

/** What `./test` counts: each goal that did and checked what it should is a test that passed. */
function tallyOf({ rows, done, broken, late }: Measured, measuring: readonly Goal[], reason: string | null): unknown {
  return {
    passed: done.length,
    failed: broken.length + late.length,
    skipped: reason === null ? [] : measuring.map(({ id }) => ({ name: `bench ${id}`, reason })),
    failures: [...broken, ...late].map(({ id, why }) => `bench ${id}: ${why}`),
    figures: rows.map(
      ({ id, work, ours, floor, unit, ratio }) => `${id} ${work}: ${ours} / ${floor} ${unit} = ${ratio}`,
    ),
  };
}

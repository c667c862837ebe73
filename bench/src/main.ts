/**
 * `pnpm bench [P1 ...] [--quick] [--json] [--tally FILE]`: measures, prints, and exits 0 whether or not a goal is reached; 1 if
 * one could not be measured, since what it checks was not so. `--tally` leaves what `./test` counts.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { whyNoNamespace } from '@setkeeper/testkit';
import type { Goal } from './goal.ts';
import { goals } from './goals/all-goals.ts';
import { isToldToEnd } from './interruption.ts';
import { type Measured, measureGoals } from './measure-goals.ts';
import { table } from './table.ts';

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    tally: { type: 'string' },
  },
  allowPositionals: true,
});
const say = (what: string): void => console.error(what);
const wanted = new Set(positionals.map((id) => (id.toUpperCase() === 'P12' ? 'P11' : id.toUpperCase())));
const chosen = goals.filter(({ id }) => wanted.size === 0 || wanted.has(id));
const unknown = [...wanted].filter((id) => !goals.some((goal) => goal.id === id));
if (unknown.length > 0) {
  say(`no such goal: ${unknown.join(', ')}; there are ${[...new Set(goals.map(({ id }) => id))].join(', ')}`);
  process.exitCode = 2;
} else {
  process.exitCode = await bench(chosen);
}

async function bench(measuring: readonly Goal[]): Promise<number> {
  const reason = await whyNoNamespace();
  const isSkipped = reason !== null;
  if (isSkipped) say(`nothing can be measured here: ${reason}`);
  const measured = isSkipped ? NOTHING : await measureGoals(measuring, { isQuick: values.quick, say });
  console.log(values.json ? JSON.stringify(measured.rows) : table(measured.rows, !values.quick));
  if (values.tally !== undefined) await writeFile(values.tally, JSON.stringify(tallyOf(measured, measuring, reason)));
  if (isToldToEnd()) return ENDED_BY_SIGNAL;
  return measured.broken.length > 0 ? 1 : 0;
}

/** What `./test` counts: each goal that did and checked what it should is a test that passed. */
function tallyOf({ rows, done, broken }: Measured, measuring: readonly Goal[], reason: string | null): unknown {
  return {
    passed: done.length,
    failed: broken.length,
    skipped: reason === null ? [] : measuring.map(({ id }) => ({ name: `bench ${id}`, reason })),
    failures: broken.map(({ id, why }) => `bench ${id}: ${why}`),
    figures: rows.map(
      ({ id, work, ours, floor, unit, ratio }) => `${id} ${work}: ${ours} / ${floor} ${unit} = ${ratio}`,
    ),
  };
}

const NOTHING: Measured = { rows: [], done: [], broken: [] };
/** As a shell tells it. */
const ENDED_BY_SIGNAL = 143;

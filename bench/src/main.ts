/** `pnpm bench [P1 ...] [--quick] [--json]`: measures, prints, and exits 0 whether or not a goal is reached. */
import { parseArgs } from 'node:util';
import type { Row } from './goal.ts';
import { goals } from './goals/all-goals.ts';
import { table } from './table.ts';

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const wanted = new Set(positionals.map((id) => (id.toUpperCase() === 'P12' ? 'P11' : id.toUpperCase())));
const chosen = goals.filter(({ id }) => wanted.size === 0 || wanted.has(id));
if (chosen.length < wanted.size) {
  console.error(`no such goal among ${[...wanted].join(', ')}; there are ${goals.map(({ id }) => id).join(', ')}`);
  process.exitCode = 2;
} else {
  const say = (what: string): void => console.error(what);
  const rows: Row[] = [];
  for (const goal of chosen) {
    say(`${goal.id} ...`);
    const began = performance.now();
    const measured = await goal.run({ isQuick: values.quick, say });
    rows.push(...measured);
    for (const { work, ours, floor, unit, ratio } of measured)
      say(`  ${work}: ${ours} against ${floor} ${unit}, ${ratio}`);
    say(`${goal.id} took ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  console.log(values.json ? JSON.stringify(rows) : table(rows));
}

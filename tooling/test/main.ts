/**
 * The part of `./test` that runs once everything is installed and built. Runs the parts named on the command line, or
 * all usual ones; goes on after a failing part; ends with the line `N passed, N failed`. Exits 1 unless all is well.
 */
import { join } from 'node:path';
import { parts } from './parts.ts';
import { type PartResult, summaryLine } from './tally.ts';

const root = join(import.meta.dirname, '..', '..');
const names = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

const results: PartResult[] = [];
for (const part of parts.filter(({ name, isUsual }) => (names.length === 0 ? isUsual : names.includes(name)))) {
  if (stop.signal.aborted) break;
  console.log(`\n==== ${part.name}: ${part.title}`);
  const started = performance.now();
  const tally = await part.run(root, stop.signal);
  results.push({ ...tally, part: part.name, durationMs: performance.now() - started });
  console.log(`==== ${part.name}: ${summaryLine([tally])} (${seconds(performance.now() - started)})`);
}

console.log('');
for (const { figures = [] } of results) for (const line of figures) console.log(line);
for (const { part, failures, skipped } of results) {
  for (const failure of failures) console.log(`failed  ${part}: ${failure}`);
  for (const { name, reason } of skipped) console.log(`skipped ${part}: ${name} (${reason})`);
}
for (const result of results) console.log(`${result.part.padEnd(7)} ${seconds(result.durationMs)}`);
if (stop.signal.aborted) console.log('interrupted: what follows is not the whole');
console.log(summaryLine(results));
process.exitCode = stop.signal.aborted || results.some(({ failed }) => failed > 0) ? 1 : 0;

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

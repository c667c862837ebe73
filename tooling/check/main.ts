/**
 * `pnpm check [WORD...] [--json FILE]`: asks every question about the code base that needs no running of it. With words,
 * only the checks whose name contains one of them. Exits 1 if any check is not fine.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allChecks } from './all-checks.ts';
import { runChecks } from './check.ts';

const root = join(import.meta.dirname, '..', '..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
});

const wanted = allChecks(root).filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const results = await runChecks(
  wanted,
  Math.min(2, availableParallelism()),
  () => performance.now(),
  ({ name, isFine, detail, durationMs }) => {
    console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name} (${(durationMs / 1000).toFixed(1)} s)`);
    if (!isFine) console.log(detail.replace(/^/gm, '       '));
  },
);

const failed = results.filter(({ isFine }) => !isFine);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 2));
if (wanted.length === 0) console.error('no check has such a name');
if (failed.length > 0) console.error(`${failed.length} of ${results.length} checks failed`);
process.exitCode = failed.length > 0 || wanted.length === 0 ? 1 : 0;

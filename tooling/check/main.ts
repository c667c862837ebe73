/**
 * `pnpm check [WORD...]`: asks every question about the code base that needs no running of it. With words,
 * only the checks whose name contains one of them. Exits 1 if any check is not fine.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allChecks } from './all-checks.ts';
import { runChecks } from './check.ts';
import { showCheck } from './show-check.ts';

const root = join(import.meta.dirname, '..', '..');
const { positionals } = parseArgs({ allowPositionals: true });

const wanted = allChecks(root).filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.includes(word)),
);
const results = await runChecks(wanted, Math.min(2, availableParallelism()), () => performance.now(), showCheck);

const failed = results.filter(({ isFine }) => !isFine);
if (wanted.length === 0) console.error('no check has such a name');
if (failed.length > 0) console.error(`${failed.length} of ${results.length} checks failed`);
process.exitCode = failed.length > 0 || wanted.length === 0 ? 1 : 0;

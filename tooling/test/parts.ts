import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { allChecks } from '../check/all-checks.ts';
import { runChecks } from '../check/check.ts';
import { showCheck } from '../check/show-check.ts';
import { packagesTally } from './packages-tally.ts';
import { playwrightTally } from './playwright-tally.ts';
import { runTests } from './runner.ts';
import { judge, type Tally } from './tally.ts';

/** A part of `./test`, in the order in which they run. */
export interface Part {
  readonly name: 'check' | 'unit' | 'kernel' | 'faults' | 'e2e' | 'bench' | 'packages';
  readonly title: string;
  /** Run when nobody names a part. */
  readonly isUsual: boolean;
  readonly run: (root: string, stop: AbortSignal) => Promise<Tally>;
}

/** Every part. The quick ones come first, so that a slip is seen within seconds. */
export const parts: readonly Part[] = [
  { name: 'check', title: 'format, lint, types, imports, house rules', isUsual: true, run: check },
  { name: 'unit', title: 'unit tests', isUsual: true, run: vitest('unit', 10) },
  { name: 'kernel', title: 'tests on the real kernel', isUsual: true, run: vitest('kernel', 20) },
  { name: 'faults', title: 'faults: killed, starved, shouted at', isUsual: true, run: faults },
  { name: 'e2e', title: 'end to end in a browser', isUsual: true, run: playwright },
  { name: 'bench', title: 'benchmarks, quick: what they check', isUsual: true, run: bench },
  { name: 'packages', title: 'Debian packages in a Debian system', isUsual: false, run: packages },
];

async function check(root: string): Promise<Tally> {
  const results = await runChecks(
    allChecks(root),
    Math.min(2, availableParallelism()),
    () => performance.now(),
    showCheck,
  );
  const failures = results.filter(({ isFine }) => !isFine).map(({ name }) => name);
  const tally = { passed: results.length - failures.length, failed: failures.length, skipped: [], failures };
  return judge(tally, failures.length === 0 ? 0 : 1);
}

function vitest(project: string, timeoutMinutes: number): Part['run'] {
  return (root, stop) =>
    runTests(
      {
        command: [
          'vitest',
          ...['run', '--project', project, '--reporter=default', '--reporter', './tooling/test/vitest-tally.ts'],
        ],
        folder: root,
        environment: (path) => ({ SETKEEPER_TALLY: path }),
        read: (text) => JSON.parse(text) as Tally,
        timeoutMinutes,
      },
      stop,
    );
}

/** Small here; `pnpm soak` is the same engine with larger numbers. */
function faults(root: string, stop: AbortSignal): Promise<Tally> {
  return runTests(
    {
      command: ['node', 'tooling/faults/main.ts'],
      folder: root,
      environment: (path) => ({ SETKEEPER_TALLY: path }),
      read: (text) => JSON.parse(text) as Tally,
      timeoutMinutes: 10,
    },
    stop,
  );
}

function playwright(root: string, stop: AbortSignal): Promise<Tally> {
  return runTests(
    {
      command: ['playwright', 'test', '--reporter=list,json'],
      folder: join(root, 'e2e'),
      environment: (path) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: path, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' }),
      read: playwrightTally,
      timeoutMinutes: 20,
    },
    stop,
  );
}

/** Benchmarks at small sizes: what is counted is that each goal did and checked what it should; ratios are printed, not judged. */
function bench(root: string, stop: AbortSignal): Promise<Tally> {
  return runTests(
    {
      command: ['sh', '-c', 'pnpm bench --quick --tally "$SETKEEPER_TALLY"'],
      folder: root,
      environment: (path) => ({ SETKEEPER_TALLY: path }),
      read: (text) => JSON.parse(text) as Tally,
      timeoutMinutes: 10,
    },
    stop,
  );
}

/** The Debian packages, made of what was built and tried in a Debian system of their own. */
function packages(root: string, stop: AbortSignal): Promise<Tally> {
  return runTests(
    {
      command: [join(root, 'packaging', 'test-packages')],
      folder: root,
      environment: (path) => ({ SETKEEPER_TALLY: path }),
      read: packagesTally,
      timeoutMinutes: 20,
    },
    stop,
  );
}

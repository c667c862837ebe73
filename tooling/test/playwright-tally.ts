import type { Skipped, Tally } from './tally.ts';

interface Suite {
  readonly title: string;
  readonly specs?: readonly Spec[];
  readonly suites?: readonly Suite[];
}

interface Spec {
  readonly title: string;
  readonly tests: readonly {
    readonly projectName?: string;
    readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
    readonly annotations?: readonly { readonly type: string; readonly description?: string }[];
  }[];
}

interface Report {
  readonly suites?: readonly Suite[];
  readonly errors?: readonly { readonly message?: string }[];
}

/**
 * Reads the report of Playwright's JSON reporter. A test that passed only when tried again passed; errors outside of
 * tests (a broken configuration, a global setup) count as failed.
 */
export function playwrightTally(text: string): Tally {
  const report = JSON.parse(text) as Report;
  let passed = 0;
  const skipped: Skipped[] = [];
  const failures = (report.errors ?? []).map(({ message }) => (message ?? 'error').split('\n')[0] ?? 'error');
  for (const [name, spec] of specsOf(report.suites ?? [], [])) {
    for (const test of spec.tests) {
      if (test.status === 'skipped') {
        const reason = test.annotations?.find(({ description }) => description !== undefined)?.description;
        skipped.push({ name, reason: reason ?? 'no reason given' });
      } else if (test.status === 'unexpected') failures.push(name);
      else passed += 1;
    }
  }
  return { passed, failed: failures.length, skipped, failures };
}

function* specsOf(suites: readonly Suite[], path: readonly string[]): Generator<readonly [name: string, spec: Spec]> {
  for (const suite of suites) {
    const here = [...path, suite.title];
    for (const spec of suite.specs ?? []) yield [[...here, spec.title].join(' > '), spec];
    yield* specsOf(suite.suites ?? [], here);
  }
}

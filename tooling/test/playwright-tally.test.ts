import { describe, expect, it } from 'vitest';
import { playwrightTally } from './playwright-tally.ts';

describe('playwrightTally', () => {
  it('counts tests of nested suites, with the names of the failed and the reasons of the skipped', () => {
    const report = {
      errors: [{ message: 'global setup failed\nat x' }],
      suites: [
        {
          title: 'sets.spec.ts',
          specs: [{ title: 'shows', tests: [{ status: 'expected' }] }],
          suites: [
            {
              title: 'one set',
              specs: [
                { title: 'reprograms', tests: [{ status: 'unexpected' }] },
                {
                  title: 'later',
                  tests: [{ status: 'skipped', annotations: [{ type: 'skip', description: 'no etcd' }] }],
                },
                { title: 'shaky', tests: [{ status: 'flaky' }] },
              ],
            },
          ],
        },
      ],
    };
    expect(playwrightTally(JSON.stringify(report))).toEqual({
      passed: 2,
      failed: 2,
      failures: ['global setup failed', 'sets.spec.ts > one set > reprograms'],
      skipped: [{ name: 'sets.spec.ts > one set > later', reason: 'no etcd' }],
    });
  });
});

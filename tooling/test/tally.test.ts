import { describe, expect, it } from 'vitest';
import { judge, summaryLine, type Tally } from './tally.ts';

const none: Tally = { passed: 0, failed: 0, skipped: [], failures: [] };

describe('tally', () => {
  it('ends in one line that names skipped tests only where there are some', () => {
    const skipped = [{ name: 'a', reason: 'no root' }];
    expect(
      summaryLine([
        { ...none, passed: 3 },
        { ...none, passed: 2, failed: 1 },
      ]),
    ).toBe('5 passed, 1 failed');
    expect(summaryLine([{ ...none, passed: 3, skipped }])).toBe('3 passed, 0 failed, 1 skipped');
  });

  it('takes silence for failure: no result, no test, or an exit code without a failed test', () => {
    expect(judge(undefined, 0).failed).toBe(1);
    expect(judge(none, 0).failures).toEqual(['no test ran']);
    expect(judge({ ...none, passed: 5 }, 1)).toMatchObject({ passed: 5, failed: 1 });
    expect(judge({ ...none, passed: 5 }, undefined).failed).toBe(1);
  });

  it('leaves a result alone that explains its exit code', () => {
    const good = { ...none, passed: 5 };
    const bad = { ...none, failed: 2, failures: ['a', 'b'] };
    expect(judge(good, 0)).toBe(good);
    expect(judge(bad, 1)).toBe(bad);
  });
});

import { describe, expect, it } from 'vitest';
import { type CheckResult, runChecks } from './check.ts';

describe('runChecks', () => {
  it('keeps the order of the checks whatever order they end in, and tells each as it ends', async () => {
    const told: string[] = [];
    const slow = Promise.withResolvers<void>();
    const results = await runChecks(
      [
        { name: 'slow', run: () => slow.promise.then(() => ({ isFine: true, detail: '' })) },
        { name: 'quick', run: () => Promise.resolve({ isFine: false, detail: 'no' }).finally(slow.resolve) },
      ],
      2,
      () => 0,
      ({ name }: CheckResult) => told.push(name),
    );
    expect(results.map(({ name, isFine }) => [name, isFine])).toEqual([
      ['slow', true],
      ['quick', false],
    ]);
    expect(told.sort()).toEqual(['quick', 'slow']);
  });

  it('counts a check that throws as not fine', async () => {
    const results = await runChecks(
      [{ name: 'a', run: () => Promise.reject(new Error('lost')) }],
      1,
      () => 0,
      () => {},
    );
    expect(results).toEqual([{ name: 'a', isFine: false, detail: 'Error: lost', durationMs: 0 }]);
  });
});

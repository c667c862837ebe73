import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOffMs } from './back-off.ts';

describe('backOffMs', () => {
  it('doubles from half a second and never exceeds 30 s', () => {
    expect([1, 2, 3, 4].map((attempt) => backOffMs(attempt, 0.999_999))).toEqual([500, 1_000, 2_000, 4_000]);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const ms = backOffMs(attempt, random);
          expect(ms).toBeGreaterThanOrEqual(250);
          expect(ms).toBeLessThanOrEqual(30_000);
        },
      ),
    );
  });
});

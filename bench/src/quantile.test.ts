import { describe, expect, it } from 'vitest';
import { bucketQuantile, bucketsOf, quantile } from './quantile.ts';

describe('a quantile', () => {
  it('is one of the values, the largest at 1', () => {
    const values = Array.from({ length: 200 }, (_, i) => 200 - i);
    expect([0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([100, 198, 200]);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('of a histogram counts only what came between the two readings', () => {
    const text = (...counts: readonly number[]) =>
      ['0.1', '0.2', '+Inf'].map((le, i) => `x_seconds_bucket{le="${le}"} ${counts[i]}`).join('\n');
    const before = bucketsOf(text(7, 7, 7), 'x_seconds');
    const after = bucketsOf(text(7, 107, 108), 'x_seconds');
    expect(bucketQuantile(before, after, 0.5)).toBeCloseTo(0.1505);
    // Beyond the last bound nothing is known but that it is beyond.
    expect(bucketQuantile(before, after, 1)).toBe(0.2);
    expect(bucketQuantile(before, before, 0.5)).toBeNaN();
  });
});

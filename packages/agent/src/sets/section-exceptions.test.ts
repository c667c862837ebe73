import { describe, expect, it } from 'vitest';
import { SectionExceptions } from './section-exceptions.ts';

const range = (first: number, last: number) =>
  ({ first, last, outcome: 'not-run', code: 'unknown', message: '' }) as const;

describe('exceptions of a section', () => {
  const exceptions = new SectionExceptions([range(2, 4), range(7, 7), range(9, 1_000_000)]);

  it('find what became of an operation, and nothing for one that was applied', () => {
    const indexes = [0, 2, 3, 4, 5, 7, 8, 9, 1_000_000, 1_000_001];
    expect(indexes.map((index) => exceptions.at(index)?.first)).toEqual([
      ...[undefined, 2, 2, 2, undefined, 7, undefined, 9, 9, undefined],
    ]);
  });

  it('count lines, not ranges', () => {
    expect(exceptions.lines).toBe(3 + 1 + 999_992);
  });

  it('name the operations between two indexes', () => {
    expect([...exceptions.indexes(3, 11)]).toEqual([3, 4, 7, 9, 10]);
  });
});

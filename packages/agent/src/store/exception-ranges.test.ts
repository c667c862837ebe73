import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exception } from '../restore/execution.ts';
import { fromRanges, rangeAt, toRanges } from './exception-ranges.ts';

const exceptions = fc.uniqueArray(fc.integer({ min: 1, max: 60 })).chain((lines) =>
  fc.tuple(
    ...lines.map((line) =>
      fc.record({
        line: fc.constant(line),
        outcome: fc.constantFrom('rejected' as const, 'skipped' as const, 'not-run' as const),
        because: fc.constantFrom(1, 2),
      }),
    ),
  ),
);

describe('ranges of exceptions', () => {
  it('give back exactly the lines that went in', () => {
    fc.assert(
      fc.property(exceptions, (lines: readonly Exception[]) => {
        const sorted = lines.toSorted((one, other) => one.line - other.line);
        expect(fromRanges(toRanges(lines))).toEqual(sorted);
      }),
    );
  });

  it('find the range of a line, and none for an applied line', () => {
    fc.assert(
      fc.property(exceptions, fc.integer({ min: 1, max: 60 }), (lines: readonly Exception[], line) => {
        const expected = lines.find((exception) => exception.line === line);
        expect(rangeAt(toRanges(lines), line)?.outcome).toBe(expected?.outcome);
      }),
    );
  });

  it('are joined where they touch, one with another and with single lines', () => {
    const skipped = { outcome: 'skipped', because: 1 } as const;
    const lines = [
      { line: 2, lastLine: 4, ...skipped },
      { line: 5, ...skipped },
      { line: 6, lastLine: 9, ...skipped },
    ];
    expect(toRanges([...lines, { line: 10, lastLine: 12, outcome: 'not-run' }])).toEqual([
      { line: 2, lastLine: 9, ...skipped },
      { line: 10, lastLine: 12, outcome: 'not-run' },
    ]);
  });

  it('hold a million skipped lines of one cause as one', () => {
    const skipped = Array.from({ length: 1_000_000 }, (_, index) => ({
      line: index + 2,
      outcome: 'skipped' as const,
      because: 1,
    }));
    expect(toRanges(skipped)).toEqual([{ line: 2, lastLine: 1_000_001, outcome: 'skipped', because: 1 }]);
  });
});

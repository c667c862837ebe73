import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromRanges, toRanges } from '../store/exception-ranges.ts';
import { Outcomes } from './outcomes.ts';

const why = { code: 'full', message: 'full', raw: '' } as const;

describe('outcomes', () => {
  it('give every line exactly one, and counts that add up', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(40), fc.nat(8), fc.boolean()), { maxLength: 8 }),
        fc.nat(45),
        (steps, ranTo) => {
          const total = 50;
          const outcomes = new Outcomes();
          const expected = new Map<number, string>();
          for (const [line, length, isSkip] of steps) {
            const isFree = [...Array(length + 1).keys()].every((i) => !expected.has(line + i));
            if (!isFree) continue;
            outcomes.reject(line, why);
            expected.set(line, 'rejected');
            if (!isSkip) continue;
            outcomes.skip(line + 1, line + 1 + length, line);
            for (let i = 1; i <= length; i++) expected.set(line + i, 'skipped');
          }
          const { exceptions, counts } = outcomes.settle(total, ranTo);
          const each = fromRanges(toRanges(exceptions));
          const seen = new Map(each.map(({ line, outcome }) => [line - 1, outcome]));
          for (let line = 0; line < total; line++) {
            expect(seen.get(line) ?? 'applied').toBe(expected.get(line) ?? (line < ranTo ? 'applied' : 'not-run'));
            expect(outcomes.isOpen(line)).toBe(!expected.has(line));
          }
          expect(counts.applied + counts.rejected + counts.skipped + counts.notRun).toBe(total);
          expect(each.map(({ line }) => line)).toEqual(
            [...new Set(each.map(({ line }) => line))].sort((a, b) => a - b),
          );
        },
      ),
    );
  });

  it('of a section that runs again are forgotten', () => {
    const outcomes = new Outcomes();
    outcomes.reject(3, why);
    outcomes.skip(4, 9, 3);
    outcomes.passOver(10);
    outcomes.reject(20, why);
    outcomes.reopen(0, 15);
    expect([3, 5, 10, 20].map((line) => outcomes.isOpen(line))).toEqual([true, true, true, false]);
  });

  it('refused before they were sent give way to a skip', () => {
    const outcomes = new Outcomes();
    outcomes.reject(5, why);
    outcomes.reject(3, why);
    outcomes.skip(4, 8, 3);
    expect(outcomes.settle(8, 8).exceptions).toEqual([
      { line: 4, outcome: 'rejected', ...why },
      { line: 5, lastLine: 8, outcome: 'skipped', because: 4 },
    ]);
  });

  it('of a million lines that were skipped, or not run, are two objects and not a million', () => {
    const outcomes = new Outcomes();
    outcomes.reject(10, why);
    outcomes.skip(11, 1_000_000, 10);
    const { exceptions, counts } = outcomes.settle(2_000_000, 1_000_000);
    expect(exceptions).toEqual([
      { line: 11, outcome: 'rejected', ...why },
      { line: 12, lastLine: 1_000_000, outcome: 'skipped', because: 11 },
      { line: 1_000_001, lastLine: 2_000_000, outcome: 'not-run' },
    ]);
    expect(counts).toEqual({ applied: 10, rejected: 1, skipped: 999_989, notRun: 1_000_000 });
  });

  it('find the next open line in time that does not grow with the number of skips', () => {
    const outcomes = new Outcomes();
    for (let section = 0; section < 20_000; section++) {
      outcomes.reject(section * 10, why);
      outcomes.skip(section * 10 + 1, section * 10 + 10, section * 10);
    }
    expect(outcomes.nextOpen(0)).toBe(200_000);
    expect(outcomes.settle(200_000, 200_000).counts).toEqual({
      applied: 0,
      rejected: 20_000,
      skipped: 180_000,
      notRun: 0,
    });
  });
});

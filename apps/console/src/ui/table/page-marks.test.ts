import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noPages, type PageMarks, pageOfRow, rowsKnown, withPage } from './page-marks.ts';

const limit = 100;

function read(marks: PageMarks, index: number, total: number, suffix = ''): PageMarks {
  const rest = total - index * limit;
  return withPage(marks, index, {
    count: Math.min(limit, rest),
    total,
    nextCursor: rest > limit ? `c${index + 1}${suffix}` : undefined,
    limit,
  });
}

describe('page marks', () => {
  it('find one page after the other, and know every row of what was read', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000 }), (total) => {
        let marks = noPages(limit);
        for (let index = 0; index * limit < Math.max(1, total); index += 1) marks = read(marks, index, total);
        expect(rowsKnown(marks)).toBe(total);
        if (total > 0)
          expect(pageOfRow(marks, total - 1)).toEqual({
            page: Math.floor((total - 1) / limit),
            start: Math.floor((total - 1) / limit) * limit,
          });
      }),
    );
  });

  it('have room for the next page before it was read', () => {
    const marks = read(noPages(limit), 0, 250);
    expect(rowsKnown(marks)).toBe(200);
    expect(pageOfRow(marks, 150)).toEqual({ page: 1, start: 100 });
  });

  it('are the same object when nothing is new', () => {
    const marks = read(noPages(limit), 0, 250);
    expect(read(marks, 0, 250)).toBe(marks);
  });

  it('forget the pages after one whose rows moved', () => {
    let marks = read(noPages(limit), 0, 450);
    marks = read(marks, 1, 450);
    marks = read(marks, 2, 450);
    const moved = read(marks, 0, 451, '-moved');
    expect(moved.pages.map((page) => page.cursor)).toEqual([undefined, 'c1-moved']);
  });

  it('end where a page has no next', () => {
    const marks = withPage(read(noPages(limit), 0, 450), 0, { count: 40, total: 40, nextCursor: undefined, limit });
    expect(rowsKnown(marks)).toBe(40);
  });
});

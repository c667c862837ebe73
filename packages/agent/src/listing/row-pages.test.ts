import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, type PageQuestion, RowPages } from './row-pages.ts';
import { sortInSlices } from './sliced-sort.ts';

const breathe = () => Promise.resolve();
const rows = (count: number): Candidate[] => Array.from({ length: count }, (_, i) => ({ id: `r${i}`, by: i % 7 }));
const question = (more: Partial<PageQuestion>): PageQuestion => ({
  list: 'rows',
  revision: '1',
  candidates: () => rows(100),
  isDescending: false,
  cursor: undefined,
  limit: 30,
  ...more,
});

describe('RowPages', () => {
  it.each([false, true])('gives every row once, in order, page after page (descending: %s)', async (isDescending) => {
    const pages = new RowPages(() => breathe);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await pages.page(question({ isDescending, cursor }));
      expect(page.total).toBe(100);
      seen.push(...page.ids);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const sign = isDescending ? -1 : 1;
    const byId = (a: Candidate, b: Candidate) => (a.id < b.id ? -1 : 1);
    const expected = rows(100).sort((a, b) => sign * (Number(a.by) - Number(b.by)) || byId(a, b));
    expect(seen).toEqual(expected.map(({ id }) => id));
  });

  it('does not shift a page when rows before it come and go', async () => {
    const pages = new RowPages(() => breathe);
    const first = await pages.page(question({ limit: 3 }));
    const fewer = rows(100).filter(({ id }) => id !== first.ids[0]);
    const cursor = first.nextCursor;
    const second = await pages.page(question({ limit: 3, cursor, revision: '2', candidates: () => fewer }));
    expect(second.ids).toEqual((await new RowPages(() => breathe).page(question({ limit: 6 }))).ids.slice(3));
  });

  it('makes an order once a revision', async () => {
    const pages = new RowPages(() => breathe);
    let made = 0;
    const candidates = () => {
      made++;
      return rows(10);
    };
    await Promise.all([pages.page(question({ candidates })), pages.page(question({ candidates }))]);
    expect(made).toBe(1);
    await pages.page(question({ candidates, revision: '2' }));
    expect(made).toBe(2);
  });

  it('refuses a cursor that is none of ours', async () => {
    const pages = new RowPages(() => breathe);
    for (const cursor of ['x', Buffer.from('[1]').toString('base64url'), Buffer.from('[{},1]').toString('base64url')]) {
      await expect(pages.page(question({ cursor }))).rejects.toMatchObject({ code: 'bad-input' });
    }
  });
});

describe('sortInSlices', () => {
  it('sorts like a plain sort, of any length', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 20_000 }), async (length) => {
        const items = Array.from({ length }, (_, i) => (i * 7919) % 1009);
        const byNumber = (a: number, b: number) => a - b;
        expect(await sortInSlices(items, byNumber, () => null)).toEqual(items.toSorted(byNumber));
      }),
      { numRuns: 20 },
    );
  });
});

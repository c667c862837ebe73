import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ago } from './ago.ts';
import { displayWidth } from './display-width.ts';
import { harmless } from './harmless.ts';
import { jsonText } from './json-text.ts';
import { tableText } from './table.ts';

const acting = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;

describe('harmless', () => {
  it('leaves nothing that a terminal could act on, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(harmless(text)).not.toMatch(acting);
      }),
    );
  });

  it('leaves ordinary text as it is', () => {
    for (const text of ['tag:web', 'Straße 7 – naïve', '東京', 'a\\b', '<script>&"']) expect(harmless(text)).toBe(text);
  });
});

describe('jsonText', () => {
  it('is the same value, with nothing that a terminal could act on', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = jsonText({ text });
        expect(json).not.toMatch(acting);
        expect(JSON.parse(json)).toEqual({
          text: text.toWellFormed() === text ? text : JSON.parse(JSON.stringify(text)),
        });
      }),
    );
  });
});

const WHOLE = { coloured: false, widthMax: null };

it('aligns a table and cuts trailing blanks', () => {
  const text = tableText(
    [
      { head: 'name', cell: (row: { name: string; n: number | null }) => row.name },
      { head: 'n', align: 'right', cell: (row) => row.n },
    ],
    [
      { name: 'a', n: 1000 },
      { name: 'longer', n: null },
    ],
    WHOLE,
  );
  expect(text).toBe('NAME       N\na       1000\nlonger     -\n');
});

it.each([
  [null, '-'],
  ['2026-01-01T00:00:00.000Z', '5 s ago'],
  ['2025-12-31T23:00:00.000Z', '1 h ago'],
  ['2026-01-01T00:01:05.000Z', 'in 1 min'],
  ['nonsense', 'nonsense'],
])('says of %s: %s', (instant, words) => expect(ago(instant, Date.parse('2026-01-01T00:00:05.000Z'))).toBe(words));

it('keeps columns aligned under wide and combining characters', () => {
  const rows = ['ab', '東京', 'e\u0301', '🙂'];
  const text = tableText(
    [
      { head: 'id', cell: (row: string) => row },
      { head: 'n', cell: () => 1 },
    ],
    rows,
    WHOLE,
  );
  expect(text).toBe('ID    N\nab    1\n東京  1\ne\u0301     1\n🙂    1\n');
});

describe('a table on a terminal', () => {
  const columns = [
    { head: 'id', cell: (row: readonly string[]) => row[0] },
    { head: 'n', align: 'right' as const, cell: (row: readonly string[]) => row[1] },
    { head: 'why', cell: (row: readonly string[]) => row[2] },
    { head: 'note', cell: (row: readonly string[]) => row[3] },
  ];

  it('cuts the widest text, and never a number', () => {
    const rows = [['h1', '1234567890', 'a reason that is long, longer than all the rest', 'short']];
    expect(tableText(columns, rows, { coloured: false, widthMax: 40 })).toBe(
      ['ID           N  WHY                NOTE', 'h1  1234567890  a reason that is…  short', ''].join('\n'),
    );
    expect(tableText(columns, rows, WHOLE)).toContain('longer than all the rest');
  });

  it('has no line longer than the terminal is wide, as far as that can be', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ maxLength: 60 }), { minLength: 4, maxLength: 4 }), {
          minLength: 1,
          maxLength: 5,
        }),
        fc.integer({ min: 100, max: 200 }),
        (rows, widthMax) => {
          const numbers = rows.map(([id = '', , why = '', note = '']) => [id, '7', why, note]);
          for (const line of tableText(columns, numbers, { coloured: false, widthMax }).split('\n'))
            expect(displayWidth(line)).toBeLessThanOrEqual(widthMax);
        },
      ),
    );
  });
});

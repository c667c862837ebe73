import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ago } from './ago.ts';
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
    false,
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
    false,
  );
  expect(text).toBe('ID    N\nab    1\n東京  1\ne\u0301     1\n🙂    1\n');
});

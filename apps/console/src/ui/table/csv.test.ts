import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell, csvOf } from './csv.ts';

describe('csvCell', () => {
  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('takes the formula out of %j', (text) => {
    expect(csvCell(text).replace(/^"/u, '').startsWith("'")).toBe(true);
  });

  it('leaves numbers numbers, and nothing nothing', () => {
    expect(csvCell(-3)).toBe('-3');
    expect(csvCell(null)).toBe('');
  });

  it('gives back any text that starts no formula', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const cell = csvCell(text);
        const plain = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        expect(plain === text || plain === `'${text}`).toBe(true);
      }),
    );
  });
});

describe('csvOf', () => {
  it('has a header, CRLF, and only columns with a plain value', () => {
    const columns = [
      { id: 'a', header: 'A', width: '', cell: () => null, plain: (row: { a: string }) => row.a },
      { id: 'b', header: 'B', width: '', cell: () => null },
    ];
    expect(csvOf(columns, [{ a: 'x,"y"' }])).toBe('A\r\n"x,""y"""\r\n');
  });
});

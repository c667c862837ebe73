import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

describe('visibleText', () => {
  it.each([
    ['a\u202eb', 'a\\u{202e}b'],
    ['a\u0000b', 'a\\u{0}b'],
    ['a\u001b[31mb', 'a\\u{1b}[31mb'],
    ['a\u2028b', 'a\\u{2028}b'],
    ['a\u200bb', 'a\\u{200b}b'],
    ['a\u{e0041}b', 'a\\u{e0041}b'],
  ])('writes what cannot be seen: %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  it('leaves text that can be read as it is', () => {
    for (const text of ['a<b>&"c', 'näive', '日本', "it's", '10.0.0.1']) expect(visibleText(text)).toBe(text);
  });

  it('never lets a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(visibleText(text)).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });
});

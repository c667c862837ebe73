import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commentText, decodeSetName, isWritableSetName, parseSetName } from './set-name.ts';

it('reads every name the kernel can have, also the empty one and those with spaces and quotes', () => {
  for (const name of ['', 'has space', 'q"uote', 'Name: x', 'ünï', '$(id)', 'a'.repeat(31)]) {
    expect(parseSetName(name)).toBe(name);
  }
});

it('counts a name in bytes, not characters', () => {
  expect(parseSetName('ü'.repeat(15))).toBeDefined();
  expect(parseSetName('ü'.repeat(16))).toBeUndefined();
  expect(parseSetName('a'.repeat(32))).toBeUndefined();
  expect(parseSetName('a\0b')).toBeUndefined();
});

it('lets nothing be written but plain words that cannot be an option', () => {
  for (const name of ['a', '_x', '7', 'sk-v4-t.web', 'a'.repeat(31)]) expect(isWritableSetName(name)).toBe(true);
  for (const name of ['', '-f', '-exist', '.hidden', 'a b', 'a\nb', 'ü', 'a/b', 'a:b', 'a,b', 'a"b', 'a'.repeat(32)]) {
    expect(isWritableSetName(name)).toBe(false);
  }
});

it('agrees with the written rule for writable names on any text', () => {
  const rule = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,30}$/;
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9_.-]{0,40}$/)), (text) => {
      expect(isWritableSetName(text)).toBe(rule.test(text) && !text.includes('\n'));
    }),
  );
});

it('decodes valid UTF-8 and keeps the bytes of what is not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(decodeSetName(Buffer.from(text, 'utf8').toString('latin1'))).toBe(text);
    }),
  );
  expect(commentText('caf\xe9')).toBe('caf\xe9');
});

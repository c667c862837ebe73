import { describe, expect, it } from 'vitest';
import { fitsHostPattern, isForHost } from './host-pattern.ts';

describe('fitsHostPattern', () => {
  it.each([
    ['node-a', 'node-a', true],
    ['node-a', 'node-ab', false],
    ['rack1-*', 'rack1-7', true],
    ['rack1-*', 'rack1-', true],
    ['rack1-*', 'rack2-7', false],
    ['*-db?', 'a-db-db1', true],
    ['*-db?', 'a-db', false],
    ['*', '', true],
    ['[a-z]', 'b', false],
    ['a.c', 'abc', false],
  ])('%s against %s: %s', (pattern, host, fits) => {
    expect(fitsHostPattern(pattern, host)).toBe(fits);
  });

  it('stays quick for a pattern made to be slow', () => {
    expect(fitsHostPattern(`${'a*'.repeat(120)}b`, 'a'.repeat(253))).toBe(false);
  });
});

describe('isForHost', () => {
  it('is true for a document without hosts', () => {
    expect(isForHost([], 'node-a')).toBe(true);
    expect(isForHost(['node-b', 'node-?'], 'node-a')).toBe(true);
    expect(isForHost(['node-b'], 'node-a')).toBe(false);
  });
});

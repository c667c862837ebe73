import { describe, expect, it } from 'vitest';
import { leastWidth } from './column.ts';

describe('the least width of a table', () => {
  it('has room for each track at its least, the gaps between them and both edges', () => {
    expect(leastWidth([{ width: '5rem' }, { width: 'minmax(10.5rem, 2fr)' }], false)).toBe('17.75rem');
  });

  it('has room for the check boxes too', () => {
    expect(leastWidth([{ width: '5rem' }], true)).toBe('9.25rem');
  });

  it('counts a track that gives no least as nothing', () => {
    expect(leastWidth([{ width: '1fr' }, { width: '4rem' }], false)).toBe('6.25rem');
  });
});

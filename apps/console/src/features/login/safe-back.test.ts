import { describe, expect, it } from 'vitest';
import { safeBack } from './safe-back.ts';

describe('safeBack', () => {
  it.each(['/', '/set/?group=tag:web', '/runs/?q=a#b'])('leads back to %s', (back) => {
    expect(safeBack(back)).toBe(back);
  });

  it.each(['//evil.example/', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', ''])(
    'never leaves the console: %j',
    (back) => {
      expect(safeBack(back)).toBe('/');
    },
  );
});

import { describe, expect, it } from 'vitest';
import { readStroke } from './key-chords.ts';
import { allScreens } from './screens.ts';

const stroke = (key: string, more: { hasModifier?: boolean; isTyping?: boolean } = {}) => ({
  key,
  hasModifier: false,
  isTyping: false,
  ...more,
});

describe('readStroke', () => {
  it('never acts: letters only move about', () => {
    for (const key of 'abcdefghijklmnopqrstuvwxyz0123456789')
      expect(['none', 'wait']).toContain(readStroke(stroke(key), false).kind);
  });

  it('leaves letters alone where they are text, and with modifiers', () => {
    expect(readStroke(stroke('/', { isTyping: true }), false)).toEqual({ kind: 'none' });
    expect(readStroke(stroke('g', { hasModifier: true }), false)).toEqual({ kind: 'none' });
    expect(readStroke(stroke('s', { isTyping: true }), true)).toEqual({ kind: 'none' });
  });

  it('reads the second key after g', () => {
    expect(readStroke(stroke('s'), true)).toEqual({ kind: 'go', key: 's' });
  });
});

describe('screens', () => {
  it('have keys and addresses of their own', () => {
    expect(new Set(allScreens.map((screen) => screen.key)).size).toBe(allScreens.length);
    expect(new Set(allScreens.map((screen) => screen.href)).size).toBe(allScreens.length);
  });
});

import { describe, expect, it } from 'vitest';
import { headlineOf } from './headline.tsx';

const fresh = { answerAgeMs: 4_000, kernelAgeMs: 4_000, limitMs: 15_000 };
const good = {
  ok: true,
  sentence: 'all 412 sets match',
  held: 0,
  problems: [],
  mode: 'manage' as const,
  sets: { total: 412 },
};
const critical = {
  code: 'set-failed',
  severity: 'critical',
  subject: 's',
  message: 'm',
  since: 't',
  remedy: 'r',
} as const;

describe('the headline', () => {
  it('is green only when all is well and young', () => {
    expect(headlineOf(good, fresh)).toEqual({ tone: 'ok', text: 'all 412 sets match' });
  });

  it.each([
    ['an old answer', { ...fresh, answerAgeMs: 15_001 }],
    ['an old read-back', { ...fresh, kernelAgeMs: 15_001 }],
    ['a kernel that was never read', { ...fresh, kernelAgeMs: null }],
  ])('is not green with %s', (_what, ages) => {
    expect(headlineOf(good, ages).tone).toBe('unsure');
  });

  it.each([
    ['only observes', { ...good, mode: 'observe' as const }],
    ['keeps no set yet', { ...good, sets: { total: 0 } }],
  ])('is not green for an agent that %s', (_what, status) => {
    expect(headlineOf(status, fresh).tone).toBe('info');
  });

  it('is red with a critical problem, even while something is held', () => {
    expect(headlineOf({ ...good, ok: false, held: 1, problems: [critical] }, fresh).tone).toBe('bad');
  });

  it('is amber while something is held', () => {
    expect(headlineOf({ ...good, held: 1 }, fresh).tone).toBe('warn');
  });

  it('says first how old it is', () => {
    expect(headlineOf(good, { ...fresh, answerAgeMs: 40_000 }).text).toBe(
      'Not known now. 40 s ago: all 412 sets match',
    );
  });
});

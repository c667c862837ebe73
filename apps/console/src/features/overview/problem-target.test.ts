import { describe, expect, it } from 'vitest';
import type { Problem } from '../../client/api-types.ts';
import { byKind, worstFirst } from './problem-rows.tsx';
import { problemTarget } from './problem-target.ts';

const problem = (more: Partial<Problem>): Problem => ({
  code: 'set-failed',
  severity: 'warning',
  subject: 'tag:web (inet6)',
  message: '',
  since: '2026-01-01',
  remedy: '',
  ...more,
});

describe('problemTarget', () => {
  it('leads to the set and family that it names, on the tab that tells why', () => {
    expect(problemTarget(problem({})).href).toBe('/set/?group=tag%3Aweb&family=inet6&tab=history');
    expect(problemTarget(problem({ code: 'drift', subject: 'list:trusted' })).href).toBe(
      '/set/?group=list%3Atrusted&tab=kernel',
    );
  });

  it('leads to the list of such sets where it names none', () => {
    expect(problemTarget(problem({ code: 'drift', subject: '3 sets' })).href).toBe('/sets/?state=drifted');
  });

  it('leads to what is held for a held change', () => {
    expect(problemTarget(problem({ code: 'change-held', subject: 'held-1' })).href).toBe('/held/');
  });
});

describe('worstFirst', () => {
  it('puts the worst first, and of equals the older', () => {
    const sorted = worstFirst([
      problem({ severity: 'notice', since: '1' }),
      problem({ severity: 'critical', since: '3' }),
      problem({ severity: 'critical', since: '2' }),
      problem({ severity: 'warning', since: '0' }),
    ]);
    expect(sorted.map((one) => `${one.severity} ${one.since}`)).toEqual([
      'critical 2',
      'critical 3',
      'warning 0',
      'notice 1',
    ]);
  });
});

describe('byKind', () => {
  it('shows each kind once, the kind with the worst first, and counts the rest', () => {
    const kinds = byKind([
      problem({ code: 'over-capacity', subject: 'a' }),
      problem({ code: 'over-capacity', subject: 'b' }),
      problem({ code: 'drift', severity: 'critical' }),
    ]);
    expect(kinds.map((kind) => [kind.first.code, kind.more])).toEqual([
      ['drift', 0],
      ['over-capacity', 1],
    ]);
  });
});

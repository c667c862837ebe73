import { describe, expect, it } from 'vitest';
import { enforcementNow, runSentence } from './run-sentence.ts';

const failure = (more: object) => ({
  code: 'full',
  message: 'Hash is full',
  set: 'sk-v4-n.block',
  group: 'net:block',
  count: 50,
  firstLine: 9_951,
  remedy: '',
  ...more,
});
const run = (
  operations: { applied: number; rejected: number; skipped?: number; notRun?: number },
  more: object = {},
) => ({
  operations: { skipped: 0, notRun: 0, ...operations },
  phase: 'partly' as const,
  failures: [],
  ...more,
});

describe('runSentence', () => {
  it('does not let a run without a line look like one that did something', () => {
    expect(runSentence(run({ applied: 0, rejected: 0 }, { phase: 'succeeded' }))).toBe(
      '0 applied, 0 rejected, 0 uncertain; there was no line to send',
    );
    expect(runSentence(run({ applied: 3, rejected: 0 }, { phase: 'succeeded' }))).toBe(
      '3 applied, 0 rejected, 0 uncertain',
    );
  });

  it('says how much went in, and what the failures have in common', () => {
    expect(runSentence(run({ applied: 9_950, rejected: 50 }, { failures: [failure({})] }))).toBe(
      '9,950 applied, 50 rejected, 0 uncertain; the 50 are all "full" in net:block',
    );
  });

  it('speaks of one failure as one', () => {
    expect(
      runSentence(
        run(
          { applied: 0, rejected: 1, skipped: 12 },
          { failures: [failure({ code: 'header-conflict', group: null, count: 1 })] },
        ),
      ),
    ).toBe('0 applied, 1 rejected, 12 skipped, 0 uncertain; the one is "header-conflict" in sk-v4-n.block');
  });

  it('counts causes and sets where they differ', () => {
    expect(
      runSentence(
        run(
          { applied: 5, rejected: 3 },
          { failures: [failure({ count: 2 }), failure({ code: 'exists', set: 'b', count: 1 })] },
        ),
      ),
    ).toBe('5 applied, 3 rejected, 0 uncertain; 2 causes in 2 sets, most of them "full" in net:block');
  });

  it('says what is still to go while it runs', () => {
    expect(runSentence(run({ applied: 5, rejected: 0, notRun: 7 }, { phase: 'running' }))).toBe(
      '5 applied, 0 rejected, 7 to go',
    );
  });

  it('says what stopped the whole run', () => {
    expect(
      runSentence(
        run(
          { applied: 0, rejected: 0, notRun: 9 },
          { error: { code: 'permission', message: 'Operation not permitted' } },
        ),
      ),
    ).toBe('0 applied, 0 rejected, 9 not run, 0 uncertain; the whole run stopped: Operation not permitted');
  });
});

describe('enforcementNow', () => {
  const bad = (retryable: number, failures = [failure({})]) => enforcementNow({ phase: 'partly', failures, retryable });

  it('says what is not in force, and where', () => {
    expect(bad(50)).toBe('50 of its operations are still not in force: net:block is not what the model says.');
    expect(bad(1)).toBe('1 of its operations is still not in force: net:block is not what the model says.');
    expect(bad(3, [failure({}), failure({ code: 'exists' }), failure({ group: null, set: 'b' })])).toBe(
      '3 of its operations are still not in force: not all of the 2 groups below are what the model says.',
    );
  });

  it('says when nothing of it waits', () => {
    expect(bad(0)).toBe('None of it waits to be tried again.');
  });

  it('is silent of a run that goes on, or in which nothing was rejected', () => {
    expect(enforcementNow({ phase: 'running', failures: [failure({})], retryable: 1 })).toBeNull();
    expect(bad(0, [])).toBeNull();
  });
});

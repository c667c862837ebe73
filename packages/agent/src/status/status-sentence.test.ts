import type { Problem } from '@setkeeper/api';
import { describe, expect, it } from 'vitest';
import { type SentenceFacts, statusSentence } from './status-sentence.ts';

const now = Date.UTC(2026, 5, 1, 12);
const well: SentenceFacts = {
  host: 'node-a',
  now,
  mode: 'manage',
  kernelSets: 500,
  wanted: 412,
  wrong: 0,
  pending: 0,
  waitingOnHold: 0,
  apply: 'auto',
  isStarted: true,
  waitingFor: [],
  sources: [{ name: 'model.d', state: 'current', since: 0 }],
  held: { changes: 0, removes: 0 },
  readAt: now - 4_000,
  staleMs: 20_000,
  problems: [],
};
const problem = (code: Problem['code'], severity: Problem['severity'], message = 'It is bad.'): Problem => ({
  code,
  severity,
  subject: 's',
  message,
  since: '2026-06-01T02:13:00.000Z',
  remedy: 'r',
});
const onHold = (subject: string): Problem => ({ ...problem('on-hold', 'warning'), subject });
const say = (more: Partial<SentenceFacts>) => statusSentence({ ...well, ...more });

describe('the one sentence', () => {
  it.each<[Partial<SentenceFacts>, boolean, string]>([
    [{}, true, 'node-a: all 412 sets match, seen 4 s ago.'],
    [{ wanted: 1 }, true, 'node-a: the one set matches, seen 4 s ago.'],
    [{ wanted: 0 }, true, 'node-a: the model asks for no set, seen 4 s ago.'],
    [
      { wrong: 2, problems: [problem('drift', 'warning')] },
      false,
      'node-a: 2 of 412 sets are NOT what the model says, since 02:13 UTC.',
    ],
    [{ wrong: 1 }, false, 'node-a: 1 of 412 sets is NOT what the model says.'],
    [{ pending: 3 }, true, 'node-a: 3 of 412 sets are on their way.'],
    [{ pending: 1, apply: 'manual' }, false, 'node-a: 1 of 412 sets waits for apply.'],
    [
      { pending: 2, waitingOnHold: 1, problems: [onHold('tag:web')] },
      false,
      'node-a: 1 of 412 sets waits for the end of a hold. On hold: tag:web.',
    ],
    [{ problems: [onHold('all')] }, true, 'node-a: all 412 sets match, seen 4 s ago. On hold: all.'],
    [
      { problems: ['a', 'b', 'c', 'd'].map((id) => onHold(`tag:${id}`)), held: { changes: 1, removes: 5 } },
      false,
      'node-a: Held: one change removes 5 members; its additions are in, no removal is. On hold: tag:a, tag:b, tag:c and 1 more.',
    ],
    [{ readAt: now - 60_000 }, false, 'node-a: the kernel was not seen since 11:59 UTC.'],
    [{ readAt: null }, false, 'node-a: the kernel was not read yet.'],
    [{ isStarted: false, waitingFor: ['model.d'] }, false, 'node-a: starting; waiting for model.d.'],
    [
      { sources: [{ name: 'etcd', state: 'stale', since: now - 2 * 86_400_000 }] },
      false,
      'node-a: 412 sets match what etcd last said, but it is stale since 2026-05-30 12:00 UTC.',
    ],
    [
      { wrong: 5, problems: [problem('kernel-unreadable', 'critical', 'The kernel cannot be read.')] },
      false,
      'node-a: The kernel cannot be read, since 02:13 UTC.',
    ],
    [
      { problems: [problem('disk-full', 'critical', 'The disk is full.')] },
      false,
      'node-a: The disk is full, since 02:13 UTC.',
    ],
    [{ problems: [problem('leak', 'warning')] }, true, 'node-a: all 412 sets match, seen 4 s ago; 1 warning.'],
    [{ mode: 'observe' }, true, 'node-a: observing 500 sets; nothing is written.'],
    [
      { held: { changes: 1, removes: 9_310 }, problems: [problem('change-held', 'warning')] },
      false,
      'node-a: Held: one change removes 9,310 members; its additions are in, no removal is.',
    ],
    [
      { held: { changes: 2, removes: 1 }, wrong: 1 },
      false,
      'node-a: 1 of 412 sets is NOT what the model says. Held: 2 changes remove 1 member; their additions are in, no removal is.',
    ],
  ])('of %j', (more, ok, sentence) => {
    expect(say(more)).toEqual({ ok, sentence });
  });

  it('contains the word held whatever else is wrong, and is never well then', () => {
    for (const more of [
      {},
      { wrong: 3 },
      { pending: 2 },
      { readAt: null },
      { isStarted: false },
      { mode: 'observe' as const },
    ]) {
      const { ok, sentence } = say({ ...more, held: { changes: 1, removes: 5 } });
      expect(sentence.toLowerCase()).toContain('held');
      expect(ok).toBe(false);
    }
  });
});

import type { ReactNode } from 'react';
import type { KernelSet, LineOutcome, ManagedSet, MemberRow, Problem, Run, Source } from '../client/api-types.ts';
import { type Sign, StateMark } from '../ui/state-mark.tsx';
import type { Tone } from '../ui/tone.ts';

/** How a state looks, and what it means in one sentence. */
export interface StateWord {
  readonly tone: Tone;
  readonly sign: Sign;
  readonly means: string;
}

export const phaseWords: Readonly<Record<ManagedSet['phase'], StateWord>> = {
  waiting: { tone: 'quiet', sign: 'waiting', means: 'Not read yet, its source is missing, or nothing references it.' },
  starting: { tone: 'info', sign: 'running', means: 'Its first content is on the way to the kernel.' },
  live: { tone: 'ok', sign: 'good', means: 'Its first content is in the kernel.' },
  stopping: { tone: 'quiet', sign: 'stopped', means: 'Its last reference is gone; it goes when the kernel lets it.' },
};

export const syncWords: Readonly<Record<ManagedSet['sync'], StateWord>> = {
  unknown: {
    tone: 'unsure',
    sign: 'unknown',
    means: 'What is in the kernel is not known; the cause stands beside it.',
  },
  drifted: {
    tone: 'bad',
    sign: 'drift',
    means: 'The kernel differs from what was programmed: somebody else changed it.',
  },
  dirty: {
    tone: 'warn',
    sign: 'pending',
    means: 'The model wants more than was acknowledged: pending, parked or over capacity.',
  },
  'in-sync': { tone: 'ok', sign: 'good', means: 'Wanted, programmed and read back are the same.' },
};

export const resultWords: Readonly<Record<ManagedSet['lastResult'], StateWord>> = {
  none: { tone: 'quiet', sign: 'none', means: 'No run has touched this set yet.' },
  running: { tone: 'info', sign: 'running', means: 'A run is at work on it now.' },
  succeeded: { tone: 'ok', sign: 'good', means: 'Every operation of the last run is true in the kernel.' },
  partly: { tone: 'warn', sign: 'warning', means: 'Some operations of the last run were rejected; the rest is in.' },
  failed: { tone: 'bad', sign: 'bad', means: 'Nothing of the last run got in.' },
  interrupted: { tone: 'warn', sign: 'stopped', means: 'The last run was cut off; the set was read back afterwards.' },
};

export const useWords: Readonly<Record<ManagedSet['use'], StateWord>> = {
  used: { tone: 'ok', sign: 'good', means: 'A rule or a list in the kernel uses it.' },
  unused: { tone: 'quiet', sign: 'none', means: 'No rule uses it: whatever it holds, nothing enforces it.' },
  unseen: {
    tone: 'unsure',
    sign: 'unknown',
    means: 'The holders could not be read, so nobody knows whether it is used.',
  },
};

export const runWords: Readonly<Record<Run['phase'], StateWord>> = {
  running: { tone: 'info', sign: 'running', means: 'At work now.' },
  succeeded: { tone: 'ok', sign: 'good', means: 'Every operation is true in the kernel.' },
  partly: { tone: 'warn', sign: 'warning', means: 'Some operations were rejected or skipped; the rest is in.' },
  failed: { tone: 'bad', sign: 'bad', means: 'Nothing of it got in.' },
  interrupted: { tone: 'warn', sign: 'stopped', means: 'Cut off before its end; what it touched was read back.' },
};

export const outcomeWords: Readonly<Record<LineOutcome['outcome'], StateWord>> = {
  applied: { tone: 'ok', sign: 'good', means: 'True in the kernel when it was acknowledged.' },
  rejected: { tone: 'bad', sign: 'bad', means: 'The kernel said no; its words stand beside it.' },
  skipped: { tone: 'warn', sign: 'stopped', means: 'Not tried, because an earlier line failed.' },
  'not-run': { tone: 'quiet', sign: 'none', means: 'Never sent.' },
};

export const sourceWords: Readonly<Record<Source['state'], StateWord>> = {
  current: { tone: 'ok', sign: 'good', means: 'It answers, and what it says is in the model.' },
  stale: { tone: 'warn', sign: 'waiting', means: 'It does not answer; its last good content is served.' },
  missing: { tone: 'bad', sign: 'bad', means: 'It has never given anything.' },
};

export const memberWords: Readonly<Record<MemberRow['state'], StateWord>> = {
  programmed: { tone: 'ok', sign: 'good', means: 'Wanted, and acknowledged by the kernel.' },
  'pending-add': { tone: 'warn', sign: 'pending', means: 'Wanted, not in the kernel yet.' },
  'pending-del': { tone: 'warn', sign: 'pending', means: 'No longer wanted, still in the kernel.' },
  parked: { tone: 'bad', sign: 'bad', means: 'The kernel rejected it; it is tried again.' },
  'over-capacity': { tone: 'warn', sign: 'warning', means: 'The set has no room for it.' },
};

export const ownerWords: Readonly<Record<KernelSet['owner'], StateWord>> = {
  managed: { tone: 'ok', sign: 'good', means: 'Programmed by this agent.' },
  leftover: { tone: 'warn', sign: 'warning', means: 'Ours by its name, owned by nothing; may still be in use.' },
  temporary: { tone: 'info', sign: 'running', means: 'A set that a rewrite fills and swaps in.' },
  internal: { tone: 'quiet', sign: 'none', means: 'An acknowledgement set of this agent.' },
  foreign: {
    tone: 'quiet',
    sign: 'stopped',
    means: "Somebody else's: shown, never written, never offered for deletion.",
  },
};

export const severityWords: Readonly<Record<Problem['severity'], StateWord>> = {
  critical: { tone: 'bad', sign: 'bad', means: 'Something is not enforced as it should be.' },
  warning: { tone: 'warn', sign: 'warning', means: 'Something needs an operator.' },
  notice: { tone: 'info', sign: 'pending', means: 'Good to know.' },
};

/** One state as sign, colour and word, with its meaning on hover. */
export function State<Word extends string>({
  words,
  word,
  children,
  isBadge = false,
}: {
  readonly words: Readonly<Record<Word, StateWord>>;
  readonly word: Word;
  /** Said instead of the bare word: `dirty +3 −1`. */
  readonly children?: ReactNode;
  readonly isBadge?: boolean;
}): ReactNode {
  const { tone, sign, means } = words[word];
  return (
    <StateMark tone={tone} sign={sign} title={means} isBadge={isBadge}>
      {children ?? word}
    </StateMark>
  );
}

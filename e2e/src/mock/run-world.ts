import type { Handlers } from '@setkeeper/api';
import { memberOf } from './plan-world.ts';
import { seeded } from './random.ts';
import { ago, type WorldSet } from './set-world.ts';

export type WorldRun = Awaited<ReturnType<Handlers['runs.list']>>['items'][number];
export type WorldOutcome = Awaited<ReturnType<Handlers['runs.outcomes']>>['items'][number];

const causes = ['model', 'model', 'model', 'drift', 'reprogram', 'apply', 'retry'];

/** Two hundred runs of the last day, the newest first; with trouble one of them has fifty rejected lines, one failed. */
export function madeRuns(
  sets: readonly WorldSet[],
  isTroubled: boolean,
): { runs: WorldRun[]; outcomes: Map<string, readonly WorldOutcome[]> } {
  const random = seeded(23);
  const outcomes = new Map<string, readonly WorldOutcome[]>();
  const runs = Array.from({ length: 200 }, (_, index): WorldRun => {
    const id = `r-${2_041 - index}`;
    const cause = causes[Math.floor(random() * causes.length)] ?? 'model';
    const lines = 1 + Math.floor(random() * 40);
    const set = sets[Math.floor(random() * sets.length)];
    const startedMs = 40_000 + index * 420_000 * (0.6 + random());
    return {
      id,
      at: ago(startedMs),
      finishedAt: ago(startedMs - 40),
      cause,
      ...(cause === 'model' ? { causeDetail: 'endpoints/web-prod.yaml' } : {}),
      actor: cause === 'model' || cause === 'drift' ? 'agent' : random() < 0.5 ? 'maria' : 'jon',
      phase: 'succeeded',
      sets: 1 + Math.floor(random() * 4),
      setNames: set === undefined ? [] : [set.name],
      operations: { applied: lines, rejected: 0, skipped: 0, notRun: 0 },
      lines,
      attempts: 1,
      durationMs: 0.4 + random() * 30,
      digest: 'b'.repeat(64),
    };
  });
  const block = sets.find((set) => set.group === 'net:block');
  if (isTroubled && block !== undefined) {
    spoil(runs, 1, {
      cause: 'model',
      causeDetail: 'lists/firehol_level1.netset',
      phase: 'partly',
      sets: 1,
      setNames: [block.name],
      lines: 10_000,
      attempts: 51,
      durationMs: 1_840,
      operations: { applied: 9_950, rejected: 50, skipped: 0, notRun: 0 },
    });
    outcomes.set('r-2040', fullOutcomes(block));
    spoil(runs, 3, {
      cause: 'start',
      phase: 'failed',
      sets: 1,
      setNames: ['sk-v4-t.chat-test'],
      lines: 13,
      attempts: 1,
      durationMs: 4,
      operations: { applied: 0, rejected: 1, skipped: 12, notRun: 0 },
    });
    outcomes.set('r-2038', conflictOutcomes());
    spoil(runs, 5, {
      cause: 'model',
      phase: 'interrupted',
      operations: { applied: 210, rejected: 0, skipped: 0, notRun: 190 },
      lines: 400,
    });
  }
  return { runs, outcomes };
}

function spoil(runs: WorldRun[], index: number, change: Partial<WorldRun>): void {
  const run = runs[index];
  if (run !== undefined) runs[index] = { ...run, ...change };
}

function fullOutcomes(set: WorldSet): WorldOutcome[] {
  return Array.from({ length: 10_000 }, (_, index): WorldOutcome => {
    const member = memberOf(set, index + 60_000);
    const line = {
      line: index + 1,
      text: `add ${set.name} ${member}`,
      meaning: `put ${member} into net:block`,
      set: set.name,
      group: set.group,
      family: set.family,
    };
    if (index < 9_950) return { ...line, outcome: 'applied' };
    return {
      ...line,
      outcome: 'rejected',
      code: 'full',
      message: 'Hash is full, cannot add more elements',
      raw: `ipset v7.17: Error in line ${index + 1}: Hash is full, cannot add more elements`,
      readBack: '65536 elements are there: 65536 of the 65586 wanted.',
      remedy: 'Grow the set: reprogram it with a larger maxelem.',
    };
  });
}

function conflictOutcomes(): WorldOutcome[] {
  const name = 'sk-v4-t.chat-test';
  const create: WorldOutcome = {
    line: 1,
    text: `create ${name} hash:ip family inet hashsize 64 maxelem 1048576`,
    meaning: 'make the set of tag:chat-test',
    set: name,
    group: 'tag:chat-test',
    family: 'inet',
    outcome: 'rejected',
    code: 'header-conflict',
    message: 'Set cannot be created: set with the same name already exists',
    raw: 'ipset v7.17: Error in line 1: Set cannot be created: set with the same name already exists',
    readBack: 'The kernel has a set of this name with type hash:net, used by 1 rule.',
    remedy: 'Remove the rule that uses it; the commands stand under its references.',
  };
  return [
    create,
    ...Array.from(
      { length: 12 },
      (_, index): WorldOutcome => ({
        line: index + 2,
        text: `add ${name} 10.65.1.${index + 2}`,
        meaning: `put 10.65.1.${index + 2} into tag:chat-test`,
        set: name,
        group: 'tag:chat-test',
        family: 'inet',
        outcome: 'skipped',
        because: 1,
      }),
    ),
  ];
}

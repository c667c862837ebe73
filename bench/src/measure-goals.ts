import type { Goal, Row } from './goal.ts';
import { isToldToEnd, TookTooLong, within } from './interruption.ts';

/** What a benchmark came to. */
export interface Measured {
  readonly rows: readonly Row[];
  /** Goals that were measured to their end, with all that they check. */
  readonly done: readonly string[];
  /** Goals that broke, and how: what they check was not so. */
  readonly broken: readonly Unmeasured[];
  /** Goals for which there was not time enough. */
  readonly late: readonly Unmeasured[];
}

/** A goal that was not measured. */
export interface Unmeasured {
  readonly id: string;
  readonly why: string;
}

/** A goal may take so long, and all of them together, which end within 25 minutes whatever the machine does. */
const GOAL_SECONDS_MAX = 300;
const ALL_SECONDS_MAX = 24 * 60;
/** Less is not enough for any. */
const GOAL_SECONDS_MIN = 10;

/** Measures goals one after the other. One that breaks is told and does not stop those that follow. */
export async function measureGoals(
  goals: readonly Goal[],
  { isQuick, say }: { readonly isQuick: boolean; readonly say: (what: string) => void },
): Promise<Measured> {
  const rows: Row[] = [];
  const done: string[] = [];
  const broken: Unmeasured[] = [];
  const late: Unmeasured[] = [];
  const end = performance.now() + ALL_SECONDS_MAX * 1000;
  for (const goal of goals) {
    if (isToldToEnd()) break;
    say(`${goal.id} ...`);
    const began = performance.now();
    const left = Math.floor((end - began) / 1000);
    try {
      if (left < GOAL_SECONDS_MIN) throw new NoTimeLeft();
      const measured = await within(Math.min(GOAL_SECONDS_MAX, left), () => goal.run({ isQuick, say }));
      rows.push(...measured);
      done.push(goal.id);
      for (const { work, ours, floor, unit, ratio } of measured)
        say(`  ${work}: ${ours} against ${floor} ${unit}, ${ratio}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const isLate = error instanceof TookTooLong || error instanceof NoTimeLeft;
      (isLate ? late : broken).push({ id: goal.id, why });
      say(`  ${goal.id} ${isLate ? 'was not measured' : 'broke'}: ${why}`);
    }
    say(`${goal.id} took ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  return { rows, done, broken, late };
}

class NoTimeLeft extends Error {
  constructor() {
    super(`those before it took ${ALL_SECONDS_MAX / 60} minutes`);
    this.name = 'NoTimeLeft';
  }
}

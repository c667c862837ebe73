import type { Goal, Row } from './goal.ts';
import { isToldToEnd, within } from './interruption.ts';

/** What a benchmark came to. */
export interface Measured {
  readonly rows: readonly Row[];
  /** Goals that were measured to their end, with all that they check. */
  readonly done: readonly string[];
  /** Goals that broke, and how: what they check was not so, or they took too long. */
  readonly broken: readonly { readonly id: string; readonly why: string }[];
}

/** A goal that takes longer is broken: all of them together end within 25 minutes on two cores. */
const GOAL_SECONDS_MAX = 300;

/** Measures goals one after the other. One that breaks is told and does not stop those that follow. */
export async function measureGoals(
  goals: readonly Goal[],
  { isQuick, say }: { readonly isQuick: boolean; readonly say: (what: string) => void },
): Promise<Measured> {
  const rows: Row[] = [];
  const done: string[] = [];
  const broken: { id: string; why: string }[] = [];
  for (const goal of goals) {
    if (isToldToEnd()) break;
    say(`${goal.id} ...`);
    const began = performance.now();
    try {
      const measured = await within(GOAL_SECONDS_MAX, () => goal.run({ isQuick, say }));
      rows.push(...measured);
      done.push(goal.id);
      for (const { work, ours, floor, unit, ratio } of measured)
        say(`  ${work}: ${ours} against ${floor} ${unit}, ${ratio}`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      broken.push({ id: goal.id, why });
      say(`  ${goal.id} broke: ${why}`);
    }
    say(`${goal.id} took ${((performance.now() - began) / 1000).toFixed(1)} s`);
  }
  return { rows, done, broken };
}

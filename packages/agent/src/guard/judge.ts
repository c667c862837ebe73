import type { GuardConfig } from '../config/agent-config.ts';

/** What a change takes from one managed set, in logical members. */
export interface SetLoss {
  /** `tag:web (inet)`: for the reasons. */
  readonly title: string;
  readonly removes: number;
  /** Members programmed before the change. */
  readonly of: number;
  /** Members it will have when the change is through, not counting what it adds. */
  readonly isEmptied: boolean;
  /** It has kernel references, or nobody can say. */
  readonly isUsed: boolean;
  readonly isDefined: boolean;
  /** The set itself goes. */
  readonly vanishes: boolean;
}

/** What a change takes from its source. */
export interface SourceLoss {
  readonly name: string;
  readonly removes: number;
  readonly of: number;
}

/** One change as the guard sees it. */
export interface JudgedChange {
  readonly sets: readonly SetLoss[];
  /** Sources that lost objects; not those whose size means nothing (declared objects, an operator's act). */
  readonly sources: readonly SourceLoss[];
  /** A reason to let no removal through at all, or null. */
  readonly strict: string | null;
}

/**
 * Why a change must wait for an operator, in words, the worst first; none: it may pass (CONTRACT.md section 2). Removing a used set's last
 * member while its group is not even defined is no decision of the model, so it waits even where the guard is off
 * (DESIGN.md invariant 3).
 */
export function judge(guard: GuardConfig, change: JudgedChange): readonly string[] {
  const losses = change.sets.filter((set) => set.removes > 0 || set.vanishes).sort((a, b) => b.removes - a.removes);
  const why: string[] = [];
  if (losses.length > 0 && change.strict !== null) why.push(change.strict);
  for (const set of losses) {
    if (set.isEmptied && set.isUsed && !set.isDefined)
      why.push(`${set.title} is used, and its group is no longer defined`);
  }
  if (guard === 'off') return why;
  if (losses.length > 0) why.push(...change.sources.flatMap((source) => sourceReasons(guard, source)));
  const vanishing = losses.filter((set) => set.vanishes).length;
  if (vanishing >= guard.setsMin) why.push(`${vanishing} managed sets vanish at once`);
  for (const set of losses) {
    const percent = set.of === 0 ? 0 : (set.removes / set.of) * 100;
    if (set.removes >= guard.removedMin && percent >= guard.removedPercent && set.removes > 0) {
      why.push(`${set.title} loses ${set.removes} of ${set.of} members (${Math.floor(percent)} %)`);
    } else if (guard.emptied && set.isEmptied && set.isUsed && set.isDefined) {
      why.push(`${set.title} is used and would be emptied of its ${set.of} members`);
    }
  }
  return why;
}

function sourceReasons(guard: Exclude<GuardConfig, 'off'>, { name, removes, of }: SourceLoss): readonly string[] {
  if (removes <= 0) return [];
  const percent = (removes / of) * 100;
  if (removes >= of) return [`the source ${name} lost all of its ${of} objects`];
  if (removes < guard.sourceMin || percent < guard.sourcePercent) return [];
  return [`the source ${name} lost ${removes} of ${of} objects (${Math.floor(percent)} %)`];
}

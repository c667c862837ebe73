import type { FailureGroup } from '@setkeeper/api';
import type { z } from 'zod';
import type { ExceptionRange } from '../store/exception-ranges.ts';
import type { RunSection } from '../store/store.ts';
import { remedyOf } from './failure-remedy.ts';
import { sectionAt } from './outcome-spans.ts';

/** Groups shown a run; a run with more causes is told by its largest. */
const GROUPS_MAX = 200;

/** Rejected lines by cause and set, the largest first: `50 are "full" in net:block`. */
export function failureGroups(
  ranges: readonly ExceptionRange[],
  sections: readonly RunSection[],
): readonly z.infer<typeof FailureGroup>[] {
  const groups = new Map<
    string,
    { -readonly [Key in keyof z.infer<typeof FailureGroup>]: z.infer<typeof FailureGroup>[Key] }
  >();
  for (const range of ranges) {
    if (range.outcome !== 'rejected') continue;
    const section = sectionAt(sections, range.line);
    const code = range.code ?? 'unknown';
    const message = range.message ?? '';
    const key = JSON.stringify([code, message, section?.set]);
    const count = range.lastLine - range.line + 1;
    const known = groups.get(key);
    if (known !== undefined) known.count += count;
    else
      groups.set(key, {
        code,
        message,
        set: section?.set ?? '',
        group: section?.group ?? null,
        count,
        firstLine: range.line,
        remedy: remedyOf(code),
      });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count).slice(0, GROUPS_MAX);
}

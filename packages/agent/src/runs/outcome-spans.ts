import type { Run } from '@setkeeper/api';
import type { ExceptionRange } from '../store/exception-ranges.ts';
import type { RunSection } from '../store/store.ts';

/** Neighbouring lines of a run with one outcome. */
export interface OutcomeSpan {
  readonly firstLine: number;
  readonly lastLine: number;
  readonly outcome: 'applied' | 'rejected' | 'skipped' | 'not-run';
  readonly exception: ExceptionRange | null;
  /** Why an outcome is not known, where it is not. */
  readonly unknown?: string;
}

export interface SpanFilter {
  readonly only: 'all' | 'bad' | 'rejected' | 'skipped' | 'not-run' | 'applied';
  readonly code?: string;
  readonly set?: string;
}

/** Every line of a run as spans in order: its exceptions and, between them, what was applied. While a run runs, and after an agent that died, nothing but exceptions is claimed. */
export function outcomeSpans(run: Run, ranges: readonly ExceptionRange[]): readonly OutcomeSpan[] {
  const between = settledOutcome(run);
  const spans: OutcomeSpan[] = [];
  let line = 1;
  for (const range of ranges) {
    if (range.line > line) spans.push({ firstLine: line, lastLine: range.line - 1, exception: null, ...between });
    spans.push({ firstLine: range.line, lastLine: range.lastLine, outcome: range.outcome, exception: range });
    line = range.lastLine + 1;
  }
  if (line <= run.lines) spans.push({ firstLine: line, lastLine: run.lines, exception: null, ...between });
  return spans;
}

/** The spans that a filter leaves, cut at the borders of the set's sections. */
export function filterSpans(
  spans: readonly OutcomeSpan[],
  { only, code, set }: SpanFilter,
  sections: readonly RunSection[],
): readonly OutcomeSpan[] {
  const left = spans.filter(
    (span) =>
      (only === 'all' || (only === 'bad' ? span.outcome !== 'applied' : span.outcome === only)) &&
      (code === undefined || span.exception?.code === code),
  );
  if (set === undefined) return left;
  const ofSet = sections.filter((section) => section.set === set);
  return left.flatMap((span) =>
    ofSet.flatMap((section) => {
      const firstLine = Math.max(span.firstLine, section.firstLine);
      const lastLine = Math.min(span.lastLine, section.firstLine + section.lines - 1);
      return firstLine <= lastLine ? [{ ...span, firstLine, lastLine }] : [];
    }),
  );
}

/** How many lines the spans hold. */
export const linesOf = (spans: readonly OutcomeSpan[]): number =>
  spans.reduce((sum, { firstLine, lastLine }) => sum + lastLine - firstLine + 1, 0);

/** The section that a line is of; sections in their order. O(log sections). */
export function sectionAt(sections: readonly RunSection[], line: number): RunSection | null {
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sections[middle]?.firstLine ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  const section = sections[low];
  return section !== undefined && line >= section.firstLine && line < section.firstLine + section.lines
    ? section
    : null;
}

function settledOutcome(run: Run): Pick<OutcomeSpan, 'outcome' | 'unknown'> {
  if (run.phase === 'running') return { outcome: 'not-run', unknown: 'Not acknowledged yet.' };
  if (run.phase === 'interrupted')
    return {
      outcome: 'not-run',
      unknown: 'Not known: the agent ended before this run did. Its sets were read back at the next start.',
    };
  return { outcome: 'applied' };
}

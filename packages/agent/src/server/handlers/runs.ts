import { setImmediate as turn } from 'node:timers/promises';
import { ApiError, type Handlers, type LineOutcome, type Run } from '@setkeeper/api';
import { failureGroups } from '../../runs/failure-groups.ts';
import { remedyOf } from '../../runs/failure-remedy.ts';
import { meaningOfLine } from '../../runs/operation-of-line.ts';
import { filterSpans, linesOf, type OutcomeSpan, outcomeSpans, sectionAt } from '../../runs/outcome-spans.ts';
import type { RunRepository } from '../../store/store.ts';

export interface RunsDependencies {
  readonly runs: RunRepository;
  readonly now: () => number;
  /** How much of what a run left parked is parked still. */
  readonly retryable: (run: Run) => number;
}

/** Lines that were not applied come first where that is asked for. */
const rank = ({ outcome }: OutcomeSpan): number => (outcome === 'applied' ? 1 : 0);

/** Lines of a script that are read at a time while text is searched. */
const LINES_A_READ = 5_000;

/** The verbs on runs that only look; `runs.retry` acts, and is the engine's. */
export function runsHandlers({
  runs,
  now,
  retryable,
}: RunsDependencies): Pick<Handlers, 'runs.list' | 'runs.get' | 'runs.outcomes'> {
  const at = (): string => new Date(now()).toISOString();
  const known = (id: string): Run => {
    const run = runs.get(id);
    if (run === null) throw new ApiError('not-found', `There is no run ${id}.`, { subject: id });
    return run;
  };

  return {
    'runs.list': ({ cursor, limit, filter, sort, failed, set, phase }) => {
      const page = runs.list({
        limit,
        failed,
        ...(cursor === undefined ? {} : { before: cursor }),
        ...(filter === undefined ? {} : { text: filter }),
        ...(set === undefined ? {} : { set }),
        ...(phase === undefined ? {} : { phase }),
        ...(sort === undefined ? {} : { sort }),
      });
      return { ...page, items: [...page.items], at: at() };
    },

    'runs.get': ({ id, scriptLimit }) => {
      const run = known(id);
      const ranges = runs.exceptionRanges(id);
      const lines = runs.scriptLines(id, 1, scriptLimit);
      return {
        ...run,
        script: lines.map((line) => `${line}\n`).join(''),
        scriptTruncated: lines.length < run.lines,
        failures: [...failureGroups(ranges, runs.sections(id))],
        retryable: retryable(run),
      };
    },

    'runs.outcomes': async ({ id, cursor, limit, filter, order, ...wanted }) => {
      const run = known(id);
      const sections = runs.sections(id);
      const asScript = filterSpans(
        outcomeSpans(run, runs.exceptionRanges(id)),
        {
          only: wanted.only,
          ...(wanted.code === undefined ? {} : { code: wanted.code }),
          ...(wanted.set === undefined ? {} : { set: wanted.set }),
        },
        sections,
      );
      const spans = order === 'line' ? asScript : asScript.toSorted((a, b) => rank(a) - rank(b));
      const readBack = runs.readBack(id);
      const rowOf = (line: number, span: OutcomeSpan, text: string | undefined): LineOutcome => {
        const section = sectionAt(sections, line);
        const { exception } = span;
        const found = section === null ? undefined : readBack.get(section.set);
        const message = exception?.message ?? span.unknown;
        return {
          line,
          text: text ?? '',
          meaning: text === undefined ? 'The text of this line was not kept.' : meaningOfLine(text),
          set: section?.set ?? '',
          group: section?.group ?? null,
          family: section?.family ?? null,
          outcome: span.outcome,
          ...(exception?.code === undefined ? {} : { code: exception.code }),
          ...(message === undefined ? {} : { message }),
          ...(exception?.raw === undefined ? {} : { raw: exception.raw }),
          ...(exception?.because === undefined ? {} : { because: exception.because }),
          ...(span.outcome === 'rejected' && found !== undefined ? { readBack: found } : {}),
          ...(span.outcome === 'rejected' ? { remedy: remedyOf(exception?.code) } : {}),
        };
      };

      const from = /^l(\d{1,12})$/u.exec(cursor ?? '')?.[1];
      const firstLine = from === undefined ? 1 : Number(from);
      // In the script's order a span that grew or went while the run runs is no reason to end.
      const isFirst = (span: OutcomeSpan): boolean =>
        firstLine <= span.lastLine && (order === 'line' || firstLine >= span.firstLine);
      const found = from === undefined ? 0 : spans.findIndex(isFirst);
      const startsAt = found < 0 ? spans.length : found;
      const words = filter === undefined || filter === '' ? null : filter.toLowerCase();
      const items: LineOutcome[] = [];
      let next: number | null = null;
      let total = words === null ? linesOf(spans) : 0;

      for (const [index, span] of spans.entries()) {
        if (words === null && (index < startsAt || next !== null)) continue;
        const isCut = index === startsAt && firstLine > span.firstLine && from !== undefined;
        // Without a text to search for only the page's own lines are read.
        let line: number = words === null && isCut ? firstLine : span.firstLine;
        while (line <= span.lastLine && (words !== null || next === null)) {
          const count = Math.min(span.lastLine - line + 1, words === null ? limit + 1 - items.length : LINES_A_READ);
          const texts = runs.scriptLines(id, line, count);
          for (let offset = 0; offset < count; offset += 1) {
            const text = texts[offset];
            const row = line + offset;
            if (words !== null && text?.toLowerCase().includes(words) !== true) continue;
            if (words !== null) total += 1;
            if (index < startsAt || (isCut && row < firstLine)) continue;
            if (items.length < limit) items.push(rowOf(row, span, text));
            else next ??= row;
          }
          line += count;
          if (words !== null) await turn();
        }
      }
      return { items, total, at: at(), ...(next === null ? {} : { nextCursor: `l${next}` }) };
    },
  };
}

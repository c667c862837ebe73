import type { Member } from '@setkeeper/ipset';
import type { RunRepository } from '../store/store.ts';

/** The run and the line of its script that put an element into a set. */
export interface ProgrammingLine {
  readonly run: string;
  readonly line: number;
}

export interface ProgrammingLinePorts {
  readonly runs: Pick<RunRepository, 'list' | 'sections' | 'scriptLines' | 'exceptionRanges'>;
  /** How an add of the element is written. */
  readonly addLine: (set: string, element: Member) => string;
  readonly turn: () => Promise<void>;
}

const RUNS_MAX = 40;
const LINES_MAX = 300_000;
const LINES_A_TURN = 5_000;

/**
 * The oldest run since a time that put the element into the set: the one through which it came. A later rewrite of the
 * whole set adds it again, which is not when it came. Null: no run that is remembered did, so it was adopted as it was.
 * Looks through at most 40 runs and 300,000 lines.
 */
export async function programmingLine(
  ports: ProgrammingLinePorts,
  set: string,
  element: Member,
  since: string | null,
): Promise<ProgrammingLine | null> {
  let found: ProgrammingLine | null = null;
  let lines = 0;
  const { items } = ports.runs.list({ set, limit: RUNS_MAX });
  for (const { id, at, finishedAt } of items) {
    if (since !== null && (finishedAt ?? at) < since) break;
    const sections = ports.runs.sections(id).filter((section) => section.set === set && section.how !== 'destroy');
    for (const section of sections) {
      lines += section.lines;
      if (lines > LINES_MAX) return found;
      const line = await lineIn(ports, id, section, element);
      if (line !== null) found = { run: id, line };
    }
  }
  return found;
}

async function lineIn(
  { runs, addLine, turn }: ProgrammingLinePorts,
  run: string,
  section: { readonly firstLine: number; readonly lines: number },
  element: Member,
): Promise<number | null> {
  // A rewrite adds to its temporary set: the words behind the set's name are the same.
  const ending = addLine('x', element).slice('add x'.length);
  const end = section.firstLine + section.lines;
  for (let from = section.firstLine; from < end; from += LINES_A_TURN) {
    const page = runs.scriptLines(run, from, Math.min(LINES_A_TURN, end - from));
    for (const [i, text] of page.entries()) {
      if (
        !text.startsWith('add ') ||
        !text.endsWith(ending) ||
        text.indexOf(' ', 'add '.length) !== text.length - ending.length
      )
        continue;
      if (isApplied(runs, run, from + i)) return from + i;
    }
    await turn();
  }
  return null;
}

const isApplied = (runs: Pick<RunRepository, 'exceptionRanges'>, run: string, line: number): boolean =>
  !runs.exceptionRanges(run).some((range) => range.line <= line && line <= range.lastLine);

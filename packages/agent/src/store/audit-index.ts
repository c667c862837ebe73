import type { AuditLine } from './audit-chain.ts';
import type { Row } from './database.ts';
import { number, numberOrNull, textOrNull } from './row.ts';

type Intent = Extract<AuditLine, { kind: 'intent' }>;

/** What the search looks through, for an act without a result yet; the result's words are put behind it. */
export const searchedText = ({ actor, role, claimed, verb, input, via, requestId }: Intent): string =>
  [actor, role, claimed, verb, input, via, requestId].join(' ');

/** Columns of a line `audit`, of the act that it is shown as, and of the result that is shown with that. */
export const indexedLine = {
  columns:
    'audit.seq AS seq, audit.entry AS entry, audit.hash AS hash, act.seq AS act, act.actor AS actor, act.verb AS verb, act.text AS text, act.result AS result, outcome.entry AS outcome',
  joins: 'LEFT JOIN audit_act AS act ON act.seq = audit.seq LEFT JOIN audit AS outcome ON outcome.seq = act.result',
} as const;

/**
 * The list is read through an index, which is no part of the chain: an act that was taken out of it, or altered in it,
 * would be hidden, though every line is there. `after`: lines up to that number were cut. Returns the check of one line
 * after the other, which says what is wrong, or null.
 */
export function createIndexCheck(after: number): (row: Row) => string | null {
  /** The acts that show a line as their result, until that line comes. */
  const shownBy = new Map<number, number>();
  return (row) => {
    const seq = number(row, 'seq');
    const line = JSON.parse(String(row.entry)) as AuditLine;
    if (line.kind !== 'intent') {
      if (numberOrNull(row, 'act') !== null) return `Line ${seq} is shown as an act but is none.`;
      const act = shownBy.get(seq);
      shownBy.delete(seq);
      if (line.kind === 'result' && line.of > after && act !== line.of)
        return `Line ${seq} is the result of the act in line ${line.of}, which does not show it.`;
      return null;
    }
    if (numberOrNull(row, 'act') === null) return `Line ${seq} was hidden from the list.`;
    if (textOrNull(row, 'actor') !== line.actor || textOrNull(row, 'verb') !== line.verb)
      return `Line ${seq} is listed as another act.`;
    const result = numberOrNull(row, 'result');
    const outcome = resultIn(textOrNull(row, 'outcome'));
    if (result !== null && outcome?.of !== seq) return `Line ${seq} is listed with a result that is not its own.`;
    const words = outcome === null ? '' : ` ${outcome.result}`;
    if (textOrNull(row, 'text') !== searchedText(line) + words) return `Line ${seq} is searched by other words.`;
    if (result !== null) shownBy.set(result, seq);
    return null;
  };
}

/** The line that an act points to, if it is a result. It was not checked yet, so it may hold anything. */
function resultIn(entry: string | null): Extract<AuditLine, { kind: 'result' }> | null {
  if (entry === null) return null;
  try {
    const line = JSON.parse(entry) as AuditLine | null;
    return line?.kind === 'result' ? line : null;
  } catch {
    return null;
  }
}

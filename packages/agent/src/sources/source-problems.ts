import { keyParts } from '../model/object-text.ts';
import { visibleText } from '../model/visible-text.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { Merge, MergedSource } from './merge.ts';

/** Raises and clears what is to be said of a source: that it is missing or stale, and that documents have faults. */
export function reviewSourceProblems(source: MergedSource, problems: ProblemBoard): void {
  reviewState(source, problems);
  reviewFaults(source, problems);
}

/** Raises and clears the objects that two sources name: the loser is shown, never merged. Costs O(objects in conflict). */
export function reviewConflicts(merge: Merge, problems: ProblemBoard): void {
  const still = new Set<string>();
  for (const key of merge.contested()) {
    const { kind, id } = keyParts(key);
    const subject = `${kind} ${visibleText(id)}`;
    if (still.size >= CONFLICTS_TOLD_MAX) break;
    still.add(subject);
    const winner = merge.record(key)?.place.source ?? '';
    problems.raise({
      code: 'source-conflict',
      subject,
      message: `${winner} and ${merge.conflicts(key).join(', ')} both define it; ${winner} comes first and counts.`,
      remedy: 'Delete the object from one of the sources, or change the order of sources in agent.yaml.',
    });
  }
  problems.clearExcept('source-conflict', still);
}

const CONFLICTS_TOLD_MAX = 100;

function reviewState({ name, state, detail }: MergedSource, problems: ProblemBoard): void {
  const why = detail === null ? '' : `: ${detail}`;
  if (state === 'missing') {
    problems.raise({
      code: 'source-missing',
      subject: name,
      message: `The source ${name} has never delivered anything${why}.`,
      remedy: 'Make it reachable, or take it out of the configuration.',
      consequence: 'Nothing that only this source could remove is removed, and no leftover is swept.',
    });
  } else {
    problems.clear('source-missing', name);
  }
  if (state === 'stale') {
    problems.raise({
      code: 'source-stale',
      subject: name,
      message: `The source ${name} is not current${why}.`,
      remedy: 'Make it reachable again; until then its last good content stands.',
      consequence: 'Changes made in this source do not reach the kernel.',
    });
  } else {
    problems.clear('source-stale', name);
  }
}

/** One problem a source, which names the first fault and counts the rest: a thousand faults are one thing to do. */
function reviewFaults({ name, faults }: MergedSource, problems: ProblemBoard): void {
  const errors = faults.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first === undefined) {
    problems.clear('source-fault', name);
    return;
  }
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  const place = first.path === '' ? `${first.file}:${first.line}` : `${first.file}:${first.line} ${first.path}`;
  problems.raise({
    code: 'source-fault',
    subject: name,
    message: `${place}: ${first.reason}${more}. The last good content of these objects stands.`,
    remedy: `Mend the document; \`setkeeper validate\` finds all faults. See \`setkeeper sources\`.`,
  });
}

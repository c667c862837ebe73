import type { ProblemBoard } from '../problems/problem-board.ts';
import type { Merge, MergedSource } from '../sources/merge.ts';

/** Faults and conflicts that get a problem of their own each; the rest is counted in one. All are listed with their source. */
const NAMED_MAX = 50;

/**
 * Raises what is wrong with the sources now, and clears what is no more. `isJudged`: whether a source had its chance to
 * speak since the start of the agent; before, not having spoken is no problem. O(sources + faults + conflicts).
 */
export function reviewSourceProblems(
  merge: Merge,
  problems: ProblemBoard,
  isJudged: (source: string) => boolean = () => true,
): void {
  const sources = merge.sources();
  reviewStates(
    sources.filter(({ name }) => isJudged(name)),
    problems,
  );
  reviewFaults(sources, problems);
  reviewConflicts(merge, problems);
}

function reviewStates(sources: readonly MergedSource[], problems: ProblemBoard): void {
  for (const { name, state, detail } of sources) {
    const why = detail === null || detail === '' ? '' : `: ${detail}`;
    if (state !== 'missing') problems.clear('source-missing', name);
    else
      problems.raise({
        code: 'source-missing',
        subject: name,
        message: `The source ${name} never had any content${why}.`,
        consequence: 'What only it would remove waits.',
        remedy: 'Check its path or address and its permissions; it is tried again by itself.',
      });
    if (state !== 'stale') problems.clear('source-stale', name);
    else
      problems.raise({
        code: 'source-stale',
        subject: name,
        message: `The source ${name} cannot be read${why}. Its last good content stands.`,
        consequence: 'Changes of the model made since are not in the kernel.',
        remedy: 'Bring it back; it is tried again by itself.',
      });
  }
}

function reviewFaults(sources: readonly MergedSource[], problems: ProblemBoard): void {
  const still = new Set<string>();
  for (const { name, faults } of sources) {
    const errors = faults.filter(({ severity }) => severity !== 'warning');
    for (const { file, line, path, reason } of errors.slice(0, NAMED_MAX)) {
      const subject = `${file}:${line}${path === '' ? '' : ` ${path}`}`;
      still.add(subject);
      problems.raise({
        code: 'source-fault',
        subject,
        message: `${file}:${line}: ${path === '' ? '' : `${path}: `}${reason}`,
        consequence: 'Nothing of it is taken over; its last good value stands.',
        remedy: `Mend ${file} at line ${line}.`,
      });
    }
    if (errors.length <= NAMED_MAX) continue;
    const subject = `${name}: more`;
    still.add(subject);
    problems.raise({
      code: 'source-fault',
      subject,
      message: `${errors.length - NAMED_MAX} more faults in ${name}.`,
      consequence: 'Nothing of these objects is taken over; their last good values stand.',
      remedy: 'See the source for all of them.',
    });
  }
  problems.clearExcept('source-fault', still);
}

function reviewConflicts(merge: Merge, problems: ProblemBoard): void {
  const still = new Set<string>();
  let more = 0;
  for (const key of merge.contested()) {
    if (still.size >= NAMED_MAX) {
      more += 1;
      continue;
    }
    still.add(key);
    const winner = merge.originOf(key)?.source ?? '';
    problems.raise({
      code: 'source-conflict',
      subject: key,
      message: `${winner} and ${merge.conflicts(key).join(', ')} both define ${key}; ${winner} wins.`,
      remedy: 'Take it out of one of them.',
    });
  }
  if (more > 0) {
    still.add('more');
    problems.raise({
      code: 'source-conflict',
      subject: 'more',
      message: `${more} more objects are defined by several sources.`,
      remedy: 'Take them out of all but one.',
    });
  }
  problems.clearExcept('source-conflict', still);
}

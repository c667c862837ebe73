'use client';

import type { ReactNode } from 'react';
import type { Problem } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { screenHref } from '../../words/addresses.ts';
import { State, severityWords } from '../../words/state-words.tsx';
import { problemTarget } from './problem-target.ts';

const rank: Readonly<Record<Problem['severity'], number>> = { critical: 0, warning: 1, notice: 2 };

/** Problems worst first; of equals those that say what is not enforced, and of these the older first. */
export function worstFirst(problems: readonly Problem[]): Problem[] {
  const hasNone = (problem: Problem): number => (problem.consequence === undefined ? 1 : 0);
  return problems.toSorted(
    (a, b) => rank[a.severity] - rank[b.severity] || hasNone(a) - hasNone(b) || a.since.localeCompare(b.since),
  );
}

/** One kind of problem: its worst and oldest, and how many more there are of it. */
export interface ProblemKind {
  readonly first: Problem;
  readonly more: number;
}

/** Problems by their code, the kind with the worst first: five kinds say more than five of one kind. */
export function byKind(problems: readonly Problem[]): ProblemKind[] {
  return [...Map.groupBy(worstFirst(problems), (problem) => problem.code).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, more: others.length }],
  );
}

/** Problems as rows: the thing, what is wrong, since when, what it means, and the one thing to press. */
export function ProblemRows({ kinds }: { readonly kinds: readonly ProblemKind[] }): ReactNode {
  return (
    <ul className="divide-y divide-line">
      {kinds.map(({ first: problem, more }) => {
        const target = problemTarget(problem);
        return (
          <li
            key={`${problem.code} ${problem.subject}`}
            className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3"
          >
            <div className="w-24 shrink-0 pt-0.5 max-sm:flex max-sm:w-full max-sm:items-baseline max-sm:gap-3">
              <State words={severityWords} word={problem.severity} />
              <p className="mt-0.5 text-xs text-ink-3">
                <Ago at={problem.since} />
              </p>
            </div>
            <div className="min-w-0 flex-1 basis-72">
              <p className="text-base break-words">
                <span className="font-semibold">{visibleText(problem.subject)}</span>
                <span className="text-ink-3"> · </span>
                {visibleText(problem.message)}
              </p>
              <p className="mt-0.5 break-words text-ink-2">
                {problem.consequence === undefined ? null : (
                  <span className="font-medium text-ink">{visibleText(problem.consequence)} </span>
                )}
                {visibleText(problem.remedy)}{' '}
                <AppLink className="link text-xs" href={`/glossary/#${problem.code}`}>
                  {problem.code}
                </AppLink>
                {more === 0 ? null : (
                  <>
                    {' · '}
                    <AppLink className="link" href={screenHref('/doctor/', { code: problem.code })}>
                      and {count(more)} more like this
                    </AppLink>
                  </>
                )}
              </p>
            </div>
            <AppLink className={buttonClass('plain')} href={target.href}>
              {target.label}
            </AppLink>
          </li>
        );
      })}
    </ul>
  );
}

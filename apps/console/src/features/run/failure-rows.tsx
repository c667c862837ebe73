import type { ReactNode } from 'react';
import type { RunDetail } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { count } from '../../ui/count.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { setHref } from '../../words/addresses.ts';

/** A run's failures grouped by cause: how many, in which set, in the kernel's own words, and what to do. */
export function FailureRows({
  run,
  onShow,
}: {
  readonly run: Pick<RunDetail, 'failures'>;
  readonly onShow?: (failure: RunDetail['failures'][number]) => void;
}): ReactNode {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {run.failures.map((failure) => (
        <li
          key={`${failure.code} ${failure.set} ${failure.message}`}
          className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5"
        >
          <span className="text-base font-semibold text-bad">{count(failure.count)} rejected</span>
          <div className="min-w-0 flex-1 basis-80">
            <p className="break-words">
              <Verbatim text={failure.message} wraps className="font-semibold" />
              {' in '}
              {failure.group === null ? (
                <Verbatim text={failure.set} wraps />
              ) : (
                <AppLink className="link" href={setHref(failure.group)}>
                  {visibleText(failure.group)}
                </AppLink>
              )}{' '}
              <AppLink className="link text-xs" href={`/glossary/#${failure.code}`}>
                {failure.code}
              </AppLink>
            </p>
            <p className="text-ink-2">{visibleText(failure.remedy)}</p>
          </div>
          {onShow === undefined ? null : (
            <button type="button" className="link hit" onClick={() => onShow(failure)}>
              {failure.count === 1 ? `line ${count(failure.firstLine)}` : `the lines, from ${count(failure.firstLine)}`}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

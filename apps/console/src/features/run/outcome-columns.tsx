import type { ReactNode } from 'react';
import type { LineOutcome } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Column } from '../../ui/table/column.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { outcomeWords, State } from '../../words/state-words.tsx';

/** The columns of a run's script with what became of each line. */
export const outcomeColumns: readonly Column<LineOutcome>[] = [
  {
    id: 'line',
    header: 'Line',
    width: '4rem',
    isNumber: true,
    cell: (one) => <span className="text-ink-3">{one.line}</span>,
    narrow: 'title',
    plain: (one) => one.line,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '7rem',
    cell: (one) => <State words={outcomeWords} word={one.outcome} />,
    narrow: 'title',
    plain: (one) => one.outcome,
  },
  {
    id: 'text',
    header: 'Restore line',
    width: 'minmax(16rem, 3fr)',
    cell: (one) => (
      <span className="inline-flex max-w-full items-center gap-1">
        <Verbatim text={one.text} wraps className="min-w-0 text-xs" />
        {one.outcome === 'applied' ? null : <CopyButton text={one.text} what={`line ${one.line}`} />}
      </span>
    ),
    narrow: 'title',
    plain: (one) => one.text,
  },
  {
    id: 'what',
    header: 'What became of it',
    width: 'minmax(16rem, 3fr)',
    cell: (one) => <WhatBecame outcome={one} />,
    narrow: 'line',
    plain: (one) => one.message ?? one.meaning,
  },
  {
    id: 'code',
    header: 'Code',
    width: '7rem',
    isHiddenAtFirst: true,
    cell: (one) => one.code ?? '–',
    plain: (one) => one.code ?? null,
  },
  {
    id: 'raw',
    header: "The tool's words",
    width: 'minmax(16rem, 2fr)',
    isHiddenAtFirst: true,
    cell: (one) => <Verbatim text={one.raw ?? ''} wraps className="text-xs" />,
    plain: (one) => one.raw ?? null,
  },
];

function WhatBecame({ outcome }: { readonly outcome: LineOutcome }): ReactNode {
  if (outcome.outcome === 'applied') return <span className="text-ink-3">{visibleText(outcome.meaning)}</span>;
  return (
    <div className="flex flex-col gap-0.5">
      {outcome.message === undefined ? null : (
        <span className="font-semibold">
          <Verbatim text={outcome.message} wraps />{' '}
          {outcome.code === undefined ? null : (
            <AppLink className="link text-xs font-normal" href={`/glossary/#${outcome.code}`}>
              {outcome.code}
            </AppLink>
          )}
        </span>
      )}
      <span className="text-xs text-ink-2">
        {outcome.because === undefined ? '' : `skipped because of line ${outcome.because}: `}
        {visibleText(outcome.meaning)}
      </span>
      {outcome.readBack === undefined ? null : (
        <span className="text-xs text-ink-2">Read back: {visibleText(outcome.readBack)}</span>
      )}
    </div>
  );
}

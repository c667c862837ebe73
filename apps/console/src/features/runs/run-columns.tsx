import type { Run } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { count } from '../../ui/count.ts';
import { preciseDuration } from '../../ui/duration.ts';
import type { Column } from '../../ui/table/column.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { Quantity } from '../../words/pending.tsx';
import { runWords, State } from '../../words/state-words.tsx';

/** The columns of a list of runs. */
export const runColumns: readonly Column<Run>[] = [
  {
    id: 'phase',
    header: 'Result',
    width: '7rem',
    cell: (run) => <State words={runWords} word={run.phase} />,
    narrow: 'title',
    plain: (run) => run.phase,
  },
  {
    id: 'id',
    header: 'Run',
    width: 'minmax(6rem, 0.8fr)',
    cell: (run) => (
      <AppLink href={runHref(run.id)} className="row-link">
        <Verbatim text={run.id} />
      </AppLink>
    ),
    narrow: 'title',
    plain: (run) => run.id,
  },
  {
    id: 'at',
    header: 'When',
    width: '7.25rem',
    sort: 'at',
    cell: (run) => <Ago at={run.at} />,
    narrow: 'line',
    plain: (run) => run.at,
  },
  {
    id: 'cause',
    header: 'Cause',
    width: 'minmax(11rem, 3fr)',
    cell: (run) => (
      <span title={run.reason}>
        {run.cause}
        {run.causeDetail === undefined ? null : <span className="text-ink-3"> {visibleText(run.causeDetail)}</span>}
        {run.reason === undefined ? null : <span className="text-ink-3"> “{visibleText(run.reason)}”</span>}
      </span>
    ),
    narrow: 'line',
    plain: (run) => [run.cause, run.causeDetail, run.reason].filter((part) => part !== undefined).join(' · '),
  },
  {
    id: 'actor',
    header: 'By',
    width: '6rem',
    cell: (run) => visibleText(run.actor),
    narrow: 'line',
    plain: (run) => run.actor,
  },
  {
    id: 'sets',
    header: 'Sets',
    width: '3.5rem',
    sort: 'sets',
    isNumber: true,
    cell: (run) => count(run.sets),
    narrow: 'line',
    plain: (run) => run.sets,
  },
  {
    id: 'applied',
    header: 'Applied',
    width: '4.75rem',
    isNumber: true,
    cell: (run) => <Quantity value={run.operations.applied} />,
    narrow: 'line',
    plain: (run) => run.operations.applied,
  },
  {
    id: 'rejected',
    header: 'Rejected',
    width: '4.75rem',
    isNumber: true,
    cell: (run) => <Quantity value={run.operations.rejected} tone="font-semibold text-bad" />,
    narrow: 'line',
    plain: (run) => run.operations.rejected,
  },
  {
    id: 'skipped',
    header: 'Skipped',
    width: '4.75rem',
    isNumber: true,
    cell: (run) => <Quantity value={run.operations.skipped + run.operations.notRun} tone="text-warn" />,
    explains: 'Skipped because of another line, or never sent',
    plain: (run) => run.operations.skipped + run.operations.notRun,
  },
  {
    id: 'duration',
    header: 'Took',
    width: '4.75rem',
    sort: 'durationMs',
    isNumber: true,
    cell: (run) => preciseDuration(run.durationMs),
    plain: (run) => run.durationMs,
  },
];

'use client';

import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { DriftEntry, SetDetail } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { bytes, count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';

/** What the last read-back saw: the header, and who changed what behind the agent's back. */
export function KernelTab({ set }: { readonly set: SetDetail }): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      {set.sync === 'unknown' ? (
        <Note tone="unsure" title="What is in the kernel is not known">
          {set.syncCause === undefined ? null : visibleText(set.syncCause)}
        </Note>
      ) : null}
      <Panel
        title="Header as the kernel shows it"
        aside={
          <>
            read <Ago at={set.readAt} never="never" />
          </>
        }
      >
        {set.header === null ? (
          <p className="text-ink-2">The kernel has no set of this name, or it has not been read.</p>
        ) : (
          <dl className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-x-6 gap-y-2">
            {Object.entries(set.header).map(([name, value]) => (
              <div key={name}>
                <dt className="text-xs text-ink-3">{visibleText(name)}</dt>
                <dd>
                  <HeaderValue name={name} value={value} />
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Panel>
      <DriftList set={set} />
    </div>
  );
}

function HeaderValue({ name, value }: { readonly name: string; readonly value: string | number | null }): ReactNode {
  if (value === null) return '–';
  if (typeof value === 'string') return <Verbatim text={value} wraps />;
  return /memory|bytes/iu.test(name) ? <span title={`${count(value)} bytes`}>{bytes(value)}</span> : count(value);
}

const columns: readonly Column<DriftEntry>[] = [
  {
    id: 'at',
    header: 'Seen',
    width: '8rem',
    cell: (entry) => <Ago at={entry.at} />,
    narrow: 'title',
    plain: (entry) => entry.at,
  },
  {
    id: 'kind',
    header: 'What',
    width: '7rem',
    cell: (entry) => entry.kind,
    narrow: 'title',
    plain: (entry) => entry.kind,
  },
  {
    id: 'added',
    header: 'Added by others',
    width: 'minmax(12rem, 2fr)',
    cell: (entry) => <Sample total={entry.added} members={entry.sampleAdded} />,
    narrow: 'line',
    plain: (entry) => entry.added,
  },
  {
    id: 'removed',
    header: 'Removed by others',
    width: 'minmax(12rem, 2fr)',
    cell: (entry) => <Sample total={entry.removed} members={entry.sampleRemoved} />,
    narrow: 'line',
    plain: (entry) => entry.removed,
  },
  {
    id: 'repaired',
    header: 'Repaired',
    width: '9rem',
    cell: (entry) =>
      entry.repairedAt === null ? (
        <span className="font-medium text-warn">not yet</span>
      ) : entry.repairRun === null ? (
        <Ago at={entry.repairedAt} />
      ) : (
        <AppLink className="link" href={runHref(entry.repairRun)}>
          <Ago at={entry.repairedAt} />
        </AppLink>
      ),
    narrow: 'line',
    plain: (entry) => entry.repairedAt,
  },
];

function Sample({ total, members }: { readonly total: number; readonly members: readonly string[] }): ReactNode {
  if (total === 0) return <span className="text-ink-3">–</span>;
  return (
    <span>
      <strong>{count(total)}</strong>{' '}
      <Verbatim text={members.slice(0, 3).join('  ')} wraps className="text-xs text-ink-2" />
      {total > 3 ? <span className="text-ink-3"> …</span> : null}
    </span>
  );
}

function DriftList({ set }: { readonly set: SetDetail }): ReactNode {
  const paged = useCursorPages({
    inputFor: (page) => ({ ...page, group: set.group }),
    keyFor: (input) => api.sets.drift.queryKey(input),
    ask: client.sets.drift.query,
  });
  return (
    <div>
      <h2 className="mb-2 font-semibold">Drift: what somebody else changed ({count(set.driftCount)} seen)</h2>
      <ListFrame
        label="Drift"
        one="change by others"
        many="changes by others"
        noun="sets"
        storageKey="drift"
        columns={columns}
        rows={paged}
        rowId={(entry) => entry.id}
        rowName={(entry) => entry.id}
        isTall
        maxHeight="24rem"
        isFiltered={false}
        onClearFilters={() => undefined}
        empty={
          <EmptyState title="Nobody else has changed this set">
            What was programmed is what every read-back saw.
          </EmptyState>
        }
      />
    </div>
  );
}

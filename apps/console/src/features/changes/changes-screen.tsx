'use client';

import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type ReactNode, useMemo } from 'react';
import { api, client } from '../../client/api.ts';
import type { Change } from '../../client/api-types.ts';
import { Ago, At } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/field.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { type Sign, StateMark } from '../../ui/state-mark.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, useListState, useWord } from '../../ui/table/use-list-state.ts';
import type { Tone } from '../../ui/tone.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { GroupLinks } from '../../words/group-link.tsx';

const kinds = ['all', 'model', 'run', 'drift', 'operator', 'source', 'guard'] as const;
const spans = ['hour', 'day', 'all'] as const;
const spanMs = { hour: 3_600_000, day: 86_400_000 } as const;
const looks: Readonly<Record<Change['kind'], { readonly tone: Tone; readonly sign: Sign }>> = {
  model: { tone: 'info', sign: 'pending' },
  run: { tone: 'ok', sign: 'good' },
  drift: { tone: 'bad', sign: 'drift' },
  operator: { tone: 'info', sign: 'good' },
  source: { tone: 'warn', sign: 'waiting' },
  guard: { tone: 'warn', sign: 'held' },
};

const columns: readonly Column<Change>[] = [
  {
    id: 'at',
    header: 'When',
    width: '7.5rem',
    cell: (change) => <Ago at={change.at} />,
    narrow: 'title',
    plain: (change) => change.at,
  },
  {
    id: 'time',
    header: 'Time',
    width: '11rem',
    cell: (change) => <At at={change.at} />,
    isHiddenAtFirst: true,
    plain: (change) => change.at,
  },
  {
    id: 'kind',
    header: 'Kind',
    width: '6.5rem',
    cell: (change) => (
      <StateMark tone={looks[change.kind].tone} sign={looks[change.kind].sign}>
        {change.kind}
      </StateMark>
    ),
    narrow: 'title',
    plain: (change) => change.kind,
  },
  {
    id: 'actor',
    header: 'By',
    width: 'minmax(7rem, 0.8fr)',
    cell: (change) => <span className="break-words">{visibleText(change.actor)}</span>,
    narrow: 'line',
    plain: (change) => change.actor,
  },
  {
    id: 'what',
    header: 'What',
    width: 'minmax(18rem, 3fr)',
    cell: (change) => <What change={change} />,
    narrow: 'line',
    plain: (change) => `${change.subject}: ${change.text}`,
  },
  {
    id: 'groups',
    header: 'Groups',
    width: 'minmax(10rem, 1.2fr)',
    cell: (change) => <GroupLinks groups={change.groups} />,
    narrow: 'line',
    plain: (change) => change.groups.join(' '),
  },
];

function What({ change }: { readonly change: Change }): ReactNode {
  const { subject, text, run } = change;
  return (
    <span className="break-words">
      <strong className="font-semibold">
        {run === subject ? (
          <AppLink className="link" href={runHref(run)}>
            {visibleText(subject)}
          </AppLink>
        ) : (
          visibleText(subject)
        )}
      </strong>{' '}
      {visibleText(text.startsWith(`${subject} `) ? text.slice(subject.length + 1) : text)}{' '}
      {run === undefined || run === subject ? null : (
        <AppLink className="link" href={runHref(run)}>
          run {run}
        </AppLink>
      )}
    </span>
  );
}

/** Changes: what changed, when and by whom, in one time line. */
export function ChangesScreen(): ReactNode {
  const { filter, setFilter } = useListState({ by: 'at', isDescending: true });
  const [chosen, setKind] = useWord('kind', kinds);
  const [span, setSpan] = useQueryState('span', parseAsStringLiteral(spans).withDefault('all'));
  const kind = chosen ?? 'all';
  const since = useMemo(() => (span === 'all' ? null : new Date(Date.now() - spanMs[span]).toISOString()), [span]);
  const list: CursorList<Parameters<typeof client.changes.list.query>[0], Change> = {
    inputFor: (page) => ({
      ...page,
      ...filterInput(filter),
      ...(kind === 'all' ? {} : { kind }),
      ...(since === null ? {} : { since }),
    }),
    keyFor: (input) => api.changes.list.queryKey(input),
    ask: client.changes.list.query,
  };
  const rows = useCursorPages(list);
  return (
    <>
      <ScreenHead
        title="Changes"
        lead="Model changes, runs, drift, sources, the guard and operators' acts, the newest first."
      />
      <ListFrame
        label="Changes"
        one="change"
        many="changes"
        noun="changes"
        storageKey="changes"
        columns={columns}
        rows={rows}
        rowId={(change) => change.id}
        rowName={(change) => change.text}
        isTall
        isFiltered={filter !== '' || kind !== 'all' || span !== 'all'}
        onClearFilters={() => {
          setFilter('');
          setKind(null);
          void setSpan(null);
        }}
        allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
        filters={
          <>
            <SearchBox
              isMain
              label="Filter changes"
              placeholder="a group, an endpoint, a person, a file"
              value={filter}
              onChange={setFilter}
            />
            <Segmented
              label="Since"
              value={span}
              choices={[
                { value: 'hour', label: 'Last hour' },
                { value: 'day', label: 'Last day' },
                { value: 'all', label: 'All' },
              ]}
              onChange={(value) => void setSpan(value)}
            />
            <SelectField
              isBare
              label="Kind"
              value={kind}
              choices={kinds.map((value) => ({ value, label: value === 'all' ? 'every kind' : value }))}
              onChange={(value) => setKind(value === 'all' ? null : value)}
            />
          </>
        }
        empty={
          <EmptyState title="Nothing has changed yet">
            Since this agent's history began, no source, run or operator changed anything.
          </EmptyState>
        }
      />
    </>
  );
}

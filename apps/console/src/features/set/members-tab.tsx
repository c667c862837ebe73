'use client';

import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { MemberRow, SetDetail } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, useWord } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { findHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { OwnersWords } from '../../words/owner-words.tsx';
import { memberWords, State } from '../../words/state-words.tsx';

const states = ['all', 'programmed', 'pending-add', 'pending-del', 'parked', 'over-capacity'] as const;

function columnsFor(isList: boolean): readonly Column<MemberRow>[] {
  return [
    {
      id: 'member',
      header: isList ? 'Member set' : 'Member',
      width: 'minmax(12rem, 1.2fr)',
      cell: (row) => (
        <span className="inline-flex items-center gap-1">
          {isList && row.member.includes(':') ? (
            <GroupLink group={row.member} />
          ) : isList ? (
            <Verbatim text={row.member} />
          ) : (
            <AppLink href={findHref(row.member.split(',')[0] ?? row.member)} className="row-link">
              <Verbatim text={row.member} />
            </AppLink>
          )}
          <CopyButton text={row.member} what={row.member} />
        </span>
      ),
      narrow: 'title',
      plain: (row) => row.member,
    },
    {
      id: 'state',
      header: 'State',
      width: '8rem',
      cell: (row) => <State words={memberWords} word={row.state} />,
      narrow: 'title',
      plain: (row) => row.state,
    },
    {
      id: 'owners',
      header: 'Owners',
      width: 'minmax(15rem, 3fr)',
      cell: (row) => <OwnersWords owners={row.owners} />,
      narrow: 'line',
      plain: (row) =>
        row.owners
          .map((owner) =>
            [owner.endpoint, owner.profile, owner.object, owner.override, owner.source]
              .filter((part) => part !== undefined)
              .join(' '),
          )
          .join('; '),
    },
    {
      id: 'since',
      header: 'Since',
      width: '8rem',
      cell: (row) => <Ago at={row.since} />,
      narrow: 'line',
      plain: (row) => row.since,
    },
  ];
}

const addressColumns = columnsFor(false);
const listColumns = columnsFor(true);

/** Members with their owners: searched and paged by the agent, a million are as fast as ten. */
export function MembersTab({ set }: { readonly set: SetDetail }): ReactNode {
  const [filter, setFilter] = useQueryState('q', parseAsString.withDefault(''));
  const [chosen, setState] = useWord('members', states);
  const state = chosen ?? 'all';
  const list: CursorList<Parameters<typeof client.sets.members.query>[0], MemberRow> = {
    inputFor: (page) => ({
      ...page,
      group: set.group,
      ...(set.family === null ? {} : { family: set.family }),
      ...filterInput(filter),
      state,
    }),
    keyFor: (input) => api.sets.members.queryKey(input),
    ask: client.sets.members.query,
    limit: 500,
  };
  const rows = useCursorPages(list);
  return (
    <ListFrame
      label="Members"
      one="member"
      many="members"
      noun="sets"
      storageKey="members"
      columns={set.type === 'list:set' ? listColumns : addressColumns}
      rows={rows}
      rowId={(row) => `${row.family} ${row.member}`}
      rowName={(row) => row.member}
      maxHeight="max(22rem, calc(100dvh - 24rem))"
      isFiltered={filter !== '' || state !== 'all'}
      onClearFilters={() => {
        void setFilter(null);
        setState(null);
      }}
      allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
      filters={
        <>
          <SearchBox
            isMain
            label="Find a member"
            placeholder="an address or a part of one"
            value={filter}
            onChange={(text) => void setFilter(text === '' ? null : text)}
          />
          <Segmented
            label="State"
            value={state}
            choices={states.map((value) => ({ value, label: value === 'all' ? 'All' : value }))}
            onChange={(value) => setState(value === 'all' ? null : value)}
          />
        </>
      }
      empty={<NoMembers set={set} onRetry={rows.retry} />}
    />
  );
}

/** Why there is no row; where that cannot be right, it says so instead of calling the set empty. */
function NoMembers({ set, onRetry }: { readonly set: SetDetail; readonly onRetry: () => void }): ReactNode {
  const known = Math.max(set.desired, set.programmed ?? 0, set.kernel ?? 0);
  if (known > 0) {
    return (
      <EmptyState title="The list came back without a row" action={<Button onClick={onRetry}>Ask again</Button>}>
        Yet {count(known)} members are known above: the set changed between the two answers.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="This set is empty">
      {set.defined
        ? 'The model has the group, and nothing owns a member of it.'
        : 'Nothing in the model defines this group; it is programmed empty because rules that name it must load.'}
    </EmptyState>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { ProfileRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { QueryBody } from '../../ui/query-body.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { screenHref } from '../../words/addresses.ts';
import { GroupLinks } from '../../words/group-link.tsx';
import { DeclaredActions } from './declared-actions.tsx';
import { profileDocument } from './document-text.ts';
import { OriginFacts, OriginWords, originText } from './origin-words.tsx';
import { SidePanel, SidePart, WithSide } from './side-panel.tsx';
import { useModelList } from './use-model-list.ts';

const tagGroups = (row: ProfileRow) => row.tags.map((tag) => `tag:${tag}`);

const columns: readonly Column<ProfileRow>[] = [
  {
    id: 'id',
    header: 'Profile',
    width: 'minmax(10rem, 1.2fr)',
    sort: 'id',
    cell: (row) => (
      <span className="inline-flex items-center gap-2">
        <Verbatim text={row.id} className="font-semibold" />
        {row.defined ? null : (
          <StateMark tone="warn" sign="warning">
            not defined
          </StateMark>
        )}
      </span>
    ),
    narrow: 'title',
    plain: (row) => row.id,
  },
  {
    id: 'tags',
    header: 'Tags',
    width: 'minmax(16rem, 3fr)',
    cell: (row) => <GroupLinks groups={tagGroups(row)} max={6} />,
    narrow: 'line',
    plain: (row) => row.tags.join(' '),
  },
  {
    id: 'endpoints',
    header: 'Endpoints',
    width: '6.5rem',
    sort: 'endpoints',
    isNumber: true,
    cell: (row) => (
      <AppLink className="link hit-line" href={screenHref('/endpoints/', { profile: row.id })}>
        {count(row.endpoints)}
      </AppLink>
    ),
    narrow: 'line',
    plain: (row) => row.endpoints,
  },
  {
    id: 'source',
    header: 'From',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <OriginWords origin={row} />,
    narrow: 'line',
    plain: originText,
  },
];

/** Profiles: which tags each gives to its endpoints. */
export function ProfilesScreen(): ReactNode {
  const { filter, setFilter, order, setOrder, id, setId } = useModelList('id');
  const [tag, setTag] = useQueryState('tag', parseAsString);
  const list: CursorList<Parameters<typeof client.model.profiles.query>[0], ProfileRow> = {
    inputFor: (page) => ({
      ...page,
      ...filterInput(filter),
      ...sortInput(order, ['id', 'endpoints']),
      ...(tag === null ? {} : { tag }),
    }),
    keyFor: (input) => api.model.profiles.queryKey(input),
    ask: client.model.profiles.query,
  };
  const rows = useCursorPages(list);
  return (
    <>
      <ScreenHead title="Profiles" lead="A profile gives its tags to every endpoint that has it." />
      <WithSide
        list={
          <ListFrame
            label="Profiles"
            one="profile"
            many="profiles"
            noun="model"
            storageKey="profiles"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowName={(row) => row.id}
            onOpen={(row) => setId(row.id === id ? null : row.id)}
            openId={id}
            order={order}
            onOrder={setOrder}
            minWidth="52rem"
            isFiltered={filter !== '' || tag !== null}
            onClearFilters={() => {
              setFilter('');
              void setTag(null);
            }}
            allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
            filters={
              <>
                <SearchBox isMain label="Filter profiles" value={filter} onChange={setFilter} />
                {tag === null ? null : (
                  <Button isSmall onClick={() => void setTag(null)} title="Show every tag again">
                    only tag {visibleText(tag)} ×
                  </Button>
                )}
              </>
            }
            empty={
              <EmptyState title="The model has no profile">Profiles come from the `profiles` of documents.</EmptyState>
            }
          />
        }
        side={id === null ? null : <ProfilePanel id={id} onClose={() => setId(null)} />}
      />
    </>
  );
}

function ProfilePanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const page = useQuery(api.model.profiles.queryOptions({ filter: id, limit: 50 }));
  const row = page.data?.items.find((one) => one.id === id);
  return (
    <SidePanel
      title={visibleText(id)}
      onClose={onClose}
      actions={
        <>
          <CopyButton text={id} what="profile id" />
          {row === undefined ? null : (
            <DeclaredActions kind="profile" id={id} source={row.source} text={profileDocument(row)} />
          )}
        </>
      }
    >
      <QueryBody query={page} what="The profile">
        {() =>
          row === undefined ? (
            <p className="text-ink-2">The model has no profile of this id now.</p>
          ) : (
            <>
              <OriginFacts origin={row} />
              <SidePart title={`Tags: ${count(row.tags.length)}`}>
                <GroupLinks groups={tagGroups(row)} max={200} />
              </SidePart>
              <SidePart title="Endpoints">
                <AppLink className="link" href={screenHref('/endpoints/', { profile: row.id })}>
                  {count(row.endpoints)} with this profile
                </AppLink>
              </SidePart>
            </>
          )
        }
      </QueryBody>
    </SidePanel>
  );
}

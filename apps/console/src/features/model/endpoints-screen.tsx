'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { EndpointRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
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
import { findHref } from '../../words/addresses.ts';
import { GroupLinks } from '../../words/group-link.tsx';
import { DeclaredActions } from './declared-actions.tsx';
import { endpointDocument } from './document-text.ts';
import { LinkedIds } from './linked-ids.tsx';
import { OriginFacts, OriginWords, originText } from './origin-words.tsx';
import { SidePanel, SidePart, WithSide } from './side-panel.tsx';
import { useModelList } from './use-model-list.ts';

const columns: readonly Column<EndpointRow>[] = [
  {
    id: 'id',
    header: 'Endpoint',
    width: 'minmax(16rem, 2fr)',
    sort: 'id',
    cell: (row) => (
      <span className="inline-flex items-center gap-2">
        <Verbatim text={row.id} className="font-semibold" />
        {row.active ? null : (
          <StateMark tone="quiet" sign="stopped">
            not active
          </StateMark>
        )}
      </span>
    ),
    narrow: 'title',
    plain: (row) => row.id,
  },
  {
    id: 'ipv4',
    header: 'IPv4',
    width: 'minmax(8rem, 0.8fr)',
    cell: (row) => <Addresses addresses={row.ipv4} />,
    narrow: 'line',
    plain: (row) => row.ipv4.join(' '),
  },
  {
    id: 'ipv6',
    header: 'IPv6',
    width: 'minmax(10rem, 1fr)',
    cell: (row) => <Addresses addresses={row.ipv6} />,
    narrow: 'line',
    plain: (row) => row.ipv6.join(' '),
  },
  {
    id: 'profiles',
    header: 'Profiles',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <LinkedIds path="/profiles/" ids={row.profiles} />,
    narrow: 'line',
    plain: (row) => row.profiles.join(' '),
  },
  {
    id: 'groups',
    header: 'Groups',
    width: 'minmax(12rem, 1.6fr)',
    cell: (row) => <GroupLinks groups={row.groups} />,
    plain: (row) => row.groups.join(' '),
  },
  {
    id: 'source',
    header: 'From',
    width: 'minmax(9rem, 1fr)',
    sort: 'source',
    cell: (row) => <OriginWords origin={row} />,
    narrow: 'line',
    plain: originText,
  },
];

function Addresses({ addresses }: { readonly addresses: readonly string[] }): ReactNode {
  const [first] = addresses;
  if (first === undefined) return <span className="text-ink-3">–</span>;
  return (
    <span title={addresses.join('\n')}>
      <Verbatim text={first} />
      {addresses.length > 1 ? <span className="text-ink-3"> +{addresses.length - 1}</span> : null}
    </span>
  );
}

/** Endpoints: their addresses, profiles and the groups they are in. */
export function EndpointsScreen(): ReactNode {
  const { filter, setFilter, order, setOrder, id, setId } = useModelList('id');
  const [profile, setProfile] = useQueryState('profile', parseAsString);
  const [tag, setTag] = useQueryState('tag', parseAsString);
  const list: CursorList<Parameters<typeof client.model.endpoints.query>[0], EndpointRow> = {
    inputFor: (page) => ({
      ...page,
      ...filterInput(filter),
      ...sortInput(order, ['id', 'source']),
      ...(profile === null ? {} : { profile }),
      ...(tag === null ? {} : { tag }),
    }),
    keyFor: (input) => api.model.endpoints.queryKey(input),
    ask: client.model.endpoints.query,
  };
  const rows = useCursorPages(list);
  return (
    <>
      <ScreenHead title="Endpoints" lead="Things with addresses. Only active endpoints own members." />
      <WithSide
        list={
          <ListFrame
            label="Endpoints"
            one="endpoint"
            many="endpoints"
            noun="model"
            storageKey="endpoints"
            columns={columns}
            rows={rows}
            rowId={(row) => row.id}
            rowName={(row) => row.id}
            onOpen={(row) => setId(row.id === id ? null : row.id)}
            openId={id}
            order={order}
            onOrder={setOrder}
            minWidth="72rem"
            isFiltered={filter !== '' || profile !== null || tag !== null}
            onClearFilters={() => {
              setFilter('');
              void setProfile(null);
              void setTag(null);
            }}
            allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
            filters={
              <>
                <SearchBox
                  isMain
                  label="Filter endpoints"
                  placeholder="an id, an address"
                  value={filter}
                  onChange={setFilter}
                />
                {profile === null ? null : (
                  <Button isSmall onClick={() => void setProfile(null)} title="Show every profile again">
                    only profile {visibleText(profile)} ×
                  </Button>
                )}
                {tag === null ? null : (
                  <Button isSmall onClick={() => void setTag(null)} title="Show every tag again">
                    only tag {visibleText(tag)} ×
                  </Button>
                )}
              </>
            }
            empty={
              <EmptyState title="The model has no endpoint">
                Endpoints come from the `endpoints` of documents.
              </EmptyState>
            }
          />
        }
        side={id === null ? null : <EndpointPanel id={id} onClose={() => setId(null)} />}
      />
    </>
  );
}

function EndpointPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const page = useQuery(api.model.endpoints.queryOptions({ filter: id, limit: 20 }));
  const row = page.data?.items.find((one) => one.id === id);
  return (
    <SidePanel
      title={visibleText(id)}
      onClose={onClose}
      actions={
        <>
          <CopyButton text={id} what="endpoint id" />
          {row === undefined ? null : (
            <DeclaredActions kind="endpoint" id={id} source={row.source} text={endpointDocument(row)} />
          )}
        </>
      }
    >
      <QueryBody query={page} what="The endpoint">
        {() =>
          row === undefined ? (
            <p className="text-ink-2">The model has no endpoint of this id now.</p>
          ) : (
            <EndpointFacts row={row} />
          )
        }
      </QueryBody>
    </SidePanel>
  );
}

function EndpointFacts({ row }: { readonly row: EndpointRow }): ReactNode {
  const ports = Object.entries(row.ports);
  return (
    <>
      <OriginFacts origin={row} />
      {row.active ? null : (
        <StateMark tone="warn" sign="stopped">
          not active: it owns nothing
        </StateMark>
      )}
      {row.note === undefined ? null : <p>“{visibleText(row.note)}”</p>}
      <SidePart title="Addresses">
        <ul>
          {[...row.ipv4, ...row.ipv6].map((address) => (
            <li key={address} className="flex items-center gap-1">
              <AppLink className="link" href={findHref(address.replace(/\/(?:32|128)$/u, ''))}>
                <Verbatim text={address} />
              </AppLink>
              <CopyButton text={address} what={address} />
            </li>
          ))}
        </ul>
      </SidePart>
      <SidePart title="Profiles">
        <LinkedIds path="/profiles/" ids={row.profiles} max={40} />
      </SidePart>
      {ports.length === 0 ? null : (
        <SidePart title="Named ports">
          <ul>
            {ports.map(([name, port]) => (
              <li key={name}>
                <Verbatim text={`${name} ${port}`} />
              </li>
            ))}
          </ul>
        </SidePart>
      )}
      <SidePart title="In these groups">
        <GroupLinks groups={row.groups} max={200} />
      </SidePart>
    </>
  );
}

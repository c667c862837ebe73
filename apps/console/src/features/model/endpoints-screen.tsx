'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { EndpointRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import type { CursorList } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { findHref } from '../../words/addresses.ts';
import { GroupLinks } from '../../words/group-link.tsx';
import { LinkedIds } from './linked-ids.tsx';
import { ModelScreen } from './model-screen.tsx';
import { originColumn } from './object-columns.tsx';
import { ObjectPanel } from './object-panel.tsx';
import { SidePart } from './side-panel.tsx';
import { useModelList } from './use-model-list.ts';

const columns: readonly Column<EndpointRow>[] = [
  {
    id: 'id',
    header: 'Endpoint',
    isSticky: true,
    width: 'minmax(15rem, 1.5fr)',
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
    width: 'minmax(7rem, 0.6fr)',
    cell: (row) => <Addresses addresses={row.ipv4} />,
    narrow: 'line',
    plain: (row) => row.ipv4.join(' '),
  },
  {
    id: 'ipv6',
    header: 'IPv6',
    width: 'minmax(8.5rem, 0.8fr)',
    cell: (row) => <Addresses addresses={row.ipv6} />,
    narrow: 'line',
    plain: (row) => row.ipv6.join(' '),
  },
  {
    id: 'profiles',
    header: 'Profiles',
    width: 'minmax(8rem, 1fr)',
    cell: (row) => <LinkedIds path="/profiles/" ids={row.profiles} />,
    narrow: 'line',
    plain: (row) => row.profiles.join(' '),
  },
  {
    id: 'groups',
    header: 'Groups',
    width: 'minmax(14rem, 1.6fr)',
    cell: (row) => <GroupLinks groups={row.groups} max={2} />,
    plain: (row) => row.groups.join(' '),
  },
  { ...originColumn, width: 'minmax(10.5rem, 1fr)', sort: 'source' },
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
  const view = useModelList('id');
  const [profile, setProfile] = useQueryState('profile', parseAsString);
  const [tag, setTag] = useQueryState('tag', parseAsString);
  const [port, setPort] = useQueryState('port', parseAsString);
  const list: CursorList<Parameters<typeof client.model.endpoints.query>[0], EndpointRow> = {
    inputFor: (page) => ({
      ...page,
      ...filterInput(view.filter),
      ...sortInput(view.order, ['id', 'source']),
      ...(profile === null ? {} : { profile }),
      ...(tag === null ? {} : { tag }),
      ...(port === null ? {} : { port }),
    }),
    keyFor: (input) => api.model.endpoints.queryKey(input),
    ask: client.model.endpoints.query,
  };
  return (
    <ModelScreen
      title="Endpoints"
      lead="Things with addresses. Only active endpoints own members."
      one="endpoint"
      many="endpoints"
      columns={columns}
      list={list}
      view={view}
      placeholder="an id, an address"
      narrowings={[
        { kind: 'profile', value: profile, onClear: () => void setProfile(null) },
        { kind: 'tag', value: tag, onClear: () => void setTag(null) },
        { kind: 'port', value: port, onClear: () => void setPort(null) },
      ]}
      empty="Endpoints come from the `endpoints` of documents."
      panel={(id, onClose) => <EndpointPanel id={id} onClose={onClose} />}
    />
  );
}

function EndpointPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const page = useQuery(api.model.endpoints.queryOptions({ id, limit: 1 }));
  return (
    <ObjectPanel kind="endpoint" id={id} query={page} onClose={onClose}>
      {(row) => <EndpointFacts row={row} />}
    </ObjectPanel>
  );
}

function EndpointFacts({ row }: { readonly row: EndpointRow }): ReactNode {
  const ports = Object.entries(row.ports);
  return (
    <>
      {row.active ? null : (
        <StateMark tone="warn" sign="stopped">
          not active: it owns nothing
        </StateMark>
      )}
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

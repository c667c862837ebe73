'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { GroupRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { count } from '../../ui/count.ts';
import { QueryBody } from '../../ui/query-body.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import type { CursorList } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput, useWord } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { screenHref, setHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { LinkedIds } from './linked-ids.tsx';
import { ModelScreen } from './model-screen.tsx';
import { SidePanel, SidePart } from './side-panel.tsx';
import { useModelList } from './use-model-list.ts';

const kinds = ['tag', 'port', 'hosts'] as const;
const kindWords = {
  tag: { one: 'tag', many: 'tags' },
  port: { one: 'port group', many: 'port groups' },
  hosts: { one: 'hosts group', many: 'hosts groups' },
} as const;

const columns: readonly Column<GroupRow>[] = [
  {
    id: 'id',
    header: 'Group',
    width: 'minmax(12rem, 2fr)',
    sort: 'id',
    cell: (row) => <GroupLink group={row.id} />,
    narrow: 'title',
    plain: (row) => row.id,
  },
  {
    id: 'state',
    header: 'State',
    width: '9rem',
    cell: (row) =>
      row.defined ? (
        row.referenced ? (
          <StateMark tone="ok" sign="good">
            referenced
          </StateMark>
        ) : (
          <StateMark tone="quiet" sign="none">
            not referenced
          </StateMark>
        )
      ) : (
        <StateMark tone="warn" sign="warning">
          not defined
        </StateMark>
      ),
    narrow: 'title',
    plain: (row) => (row.defined ? (row.referenced ? 'referenced' : 'not referenced') : 'not defined'),
  },
  {
    id: 'endpoints',
    header: 'Endpoints',
    width: '6rem',
    sort: 'endpoints',
    isNumber: true,
    cell: (row) => count(row.endpoints),
    narrow: 'line',
    plain: (row) => row.endpoints,
  },
  {
    id: 'inet',
    header: 'IPv4',
    width: '5rem',
    isNumber: true,
    cell: (row) => count(row.members.inet),
    narrow: 'line',
    plain: (row) => row.members.inet,
  },
  {
    id: 'inet6',
    header: 'IPv6',
    width: '5rem',
    isNumber: true,
    cell: (row) => count(row.members.inet6),
    narrow: 'line',
    plain: (row) => row.members.inet6,
  },
  {
    id: 'profiles',
    header: 'By profiles',
    width: 'minmax(10rem, 1.5fr)',
    cell: (row) => <LinkedIds path="/profiles/" ids={row.profiles} />,
    narrow: 'line',
    plain: (row) => row.profiles.join(' '),
  },
  {
    id: 'references',
    header: 'References',
    width: 'minmax(8rem, 1fr)',
    cell: (row) =>
      row.references.length === 0 ? (
        <span className="text-ink-3">–</span>
      ) : (
        <span title={row.references.join(', ')}>
          {visibleText(row.references[0] ?? '')}
          {row.references.length > 1 ? ` +${row.references.length - 1}` : ''}
        </span>
      ),
    plain: (row) => row.references.join(' '),
  },
];

/** Tags (and the port and hosts groups beside them): which endpoints own each, through which profiles. */
export function TagsScreen(): ReactNode {
  const view = useModelList('id');
  const [chosen, setKind] = useWord('kind', kinds);
  const kind = chosen ?? 'tag';
  const list: CursorList<Parameters<typeof client.model.groups.query>[0], GroupRow> = {
    inputFor: (page) => ({
      ...page,
      kind,
      ...filterInput(view.filter),
      ...sortInput(view.order, ['id', 'kind', 'endpoints']),
    }),
    keyFor: (input) => api.model.groups.queryKey(input),
    ask: client.model.groups.query,
  };
  return (
    <ModelScreen
      title="Tags"
      lead="An endpoint is in every tag of its profiles. Each tag becomes a set in each family."
      {...kindWords[kind]}
      columns={columns}
      list={list}
      view={view}
      filters={
        <Segmented
          label="Kind"
          value={kind}
          choices={[
            { value: 'tag', label: 'Tags' },
            { value: 'port', label: 'Ports' },
            { value: 'hosts', label: 'Hosts' },
          ]}
          onChange={(value) => setKind(value === 'tag' ? null : value)}
        />
      }
      empty="Tags come from profiles, port groups from the named ports of endpoints."
      panel={(id, onClose) => <TagPanel id={id} onClose={onClose} />}
    />
  );
}

function TagPanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const name = id.slice(id.indexOf(':') + 1);
  const slash = name.lastIndexOf('/');
  const carriers = id.startsWith('port:') ? { tag: name.slice(0, slash), port: name.slice(slash + 1) } : { tag: name };
  const { tag } = carriers;
  const endpoints = useQuery(
    api.model.endpoints.queryOptions({ ...carriers, limit: 50 }, { enabled: !id.startsWith('hosts:') }),
  );
  const profiles = useQuery(
    api.model.profiles.queryOptions({ tag, limit: 100 }, { enabled: !id.startsWith('hosts:') }),
  );
  return (
    <SidePanel title={visibleText(id)} onClose={onClose}>
      <AppLink className="link" href={setHref(id)}>
        Its sets in the kernel
      </AppLink>
      {id.startsWith('hosts:') ? (
        <p className="text-ink-2">The addresses of every host of the model.</p>
      ) : (
        <>
          <SidePart title="Profiles with this tag">
            <QueryBody query={profiles} what="The profiles" lines={2}>
              {(page) => <LinkedIds path="/profiles/" ids={page.items.map((row) => row.id)} max={40} />}
            </QueryBody>
          </SidePart>
          <SidePart title={id.startsWith('port:') ? 'Endpoints with this port' : 'Endpoints with this tag'}>
            <QueryBody query={endpoints} what="The endpoints" lines={4}>
              {(page) => (
                <>
                  {page.items.length === 0 ? <p className="text-ink-3">–</p> : null}
                  <ul className="flex flex-col gap-1">
                    {page.items.map((row) => (
                      <li key={row.id}>
                        <AppLink className="link" href={screenHref('/endpoints/', { id: row.id })}>
                          <Verbatim text={row.id} wraps />
                        </AppLink>{' '}
                        {row.active ? null : (
                          <StateMark tone="quiet" sign="stopped">
                            not active: owns nothing
                          </StateMark>
                        )}{' '}
                        {[...row.ipv4, ...row.ipv6].map((address) => (
                          <Verbatim key={address} text={address} className="mr-2 inline-block text-xs text-ink-2" />
                        ))}
                      </li>
                    ))}
                  </ul>
                  {page.total > page.items.length ? (
                    <AppLink className="link" href={screenHref('/endpoints/', carriers)}>
                      all {count(page.total)}
                    </AppLink>
                  ) : null}
                </>
              )}
            </QueryBody>
          </SidePart>
        </>
      )}
    </SidePanel>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api, client } from '../../client/api.ts';
import type { ProfileRow } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { count } from '../../ui/count.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import type { CursorList } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { screenHref } from '../../words/addresses.ts';
import { GroupLinks } from '../../words/group-link.tsx';
import { ModelScreen } from './model-screen.tsx';
import { originColumn } from './object-columns.tsx';
import { ObjectPanel } from './object-panel.tsx';
import { SidePart } from './side-panel.tsx';
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
  originColumn,
];

/** Profiles: which tags each gives to its endpoints. */
export function ProfilesScreen(): ReactNode {
  const view = useModelList('id');
  const [tag, setTag] = useQueryState('tag', parseAsString);
  const list: CursorList<Parameters<typeof client.model.profiles.query>[0], ProfileRow> = {
    inputFor: (page) => ({
      ...page,
      ...filterInput(view.filter),
      ...sortInput(view.order, ['id', 'endpoints']),
      ...(tag === null ? {} : { tag }),
    }),
    keyFor: (input) => api.model.profiles.queryKey(input),
    ask: client.model.profiles.query,
  };
  return (
    <ModelScreen
      title="Profiles"
      lead="A profile gives its tags to every endpoint that has it."
      one="profile"
      many="profiles"
      columns={columns}
      list={list}
      view={view}
      narrowings={[{ kind: 'tag', value: tag, onClear: () => void setTag(null) }]}
      empty="Profiles come from the `profiles` of documents."
      panel={(id, onClose) => <ProfilePanel id={id} onClose={onClose} />}
    />
  );
}

function ProfilePanel({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const page = useQuery(api.model.profiles.queryOptions({ id, limit: 1 }));
  return (
    <ObjectPanel kind="profile" id={id} query={page} onClose={onClose}>
      {(row) => (
        <>
          <SidePart title={`Tags: ${count(row.tags.length)}`}>
            <GroupLinks groups={tagGroups(row)} max={200} />
          </SidePart>
          <SidePart title="Endpoints">
            <AppLink className="link" href={screenHref('/endpoints/', { profile: row.id })}>
              {count(row.endpoints)} with this profile
            </AppLink>
          </SidePart>
        </>
      )}
    </ObjectPanel>
  );
}

import { api, client } from '../../client/api.ts';
import type { ManagedSet, SetsListInput } from '../../client/api-types.ts';
import type { Order } from '../../ui/table/column.ts';
import type { CursorList } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, sortInput } from '../../ui/table/use-list-state.ts';

const sorts = [
  'group',
  'name',
  'type',
  'phase',
  'sync',
  'use',
  'desired',
  'programmed',
  'kernel',
  'pending',
  'parked',
  'overCapacity',
  'references',
  'changedAt',
] as const;

/** The filters of the list of sets. */
export interface SetsFilter {
  readonly filter: string;
  readonly state: string | null;
  readonly kind: ManagedSet['kind'] | null;
  readonly family: 'inet' | 'inet6' | null;
  readonly order: Order;
}

/** The list of sets that a filter means, read page by page from the agent. */
export function setsList(filters: SetsFilter): CursorList<SetsListInput, ManagedSet> {
  return {
    inputFor: (page) => ({
      ...page,
      ...filterInput(filters.filter),
      ...sortInput(filters.order, sorts),
      ...(filters.state === null ? {} : { state: filters.state }),
      ...(filters.kind === null ? {} : { kind: filters.kind }),
      ...(filters.family === null ? {} : { family: filters.family }),
    }),
    keyFor: (input) => api.sets.list.queryKey(input),
    ask: client.sets.list.query,
  };
}

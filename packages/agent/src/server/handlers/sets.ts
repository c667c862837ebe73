import { ApiError, type Handlers } from '@setkeeper/api';
import type { Engine } from '../../engine/engine.ts';
import type { OperatorActs } from '../../engine/operator-acts.ts';
import { selectedSets } from '../../engine/selected-sets.ts';
import { memberPage } from '../../engine/views/member-list.ts';
import { MemberOrders } from '../../engine/views/member-order.ts';
import { setDetail } from '../../engine/views/set-detail.ts';
import { SetList, sortColumn } from '../../engine/views/set-list.ts';
import { iso, setRow } from '../../engine/views/set-row.ts';
import type { HolderReader } from '../../holders/holder-reading.ts';
import { actOf, runOf } from './operator-act.ts';

export interface SetsDependencies {
  readonly engine: Engine;
  readonly acts: OperatorActs;
  /** Null: nobody can say what holds a set. */
  readonly holders: HolderReader | null;
}

/** The verbs on managed sets. */
export function setsHandlers({
  engine,
  acts,
  holders,
}: SetsDependencies): Pick<Handlers, 'sets.list' | 'sets.get' | 'sets.members' | 'sets.drift' | 'sets.reprogram'> {
  const { state } = engine;
  const list = new SetList(state);
  const orders = new MemberOrders(state);
  const at = (): string => iso(state.now());

  const setsOf = (group: string, family: 'inet' | 'inet6' | null | undefined) => {
    const sets = selectedSets(state, [group]).filter((set) => family === undefined || set.family === family);
    if (sets.length > 0) return sets;
    throw new ApiError('not-found', `${group} has no set of family ${family ?? 'none'}.`, { subject: group });
  };

  return {
    'sets.list': ({ cursor, limit, filter, sort, state: asked, kind, family }) => {
      const page = list.page({
        limit,
        cursor,
        sort: sort === undefined ? undefined : { by: sortColumn(sort.by), desc: sort.desc },
        ...(filter === undefined ? {} : { filter }),
        ...(asked === undefined ? {} : { state: asked }),
        ...(kind === undefined ? {} : { kind }),
        ...(family === undefined ? {} : { family }),
      });
      const items = page.sets.map((set) => setRow(state, set));
      const { total, nextCursor } = page;
      return { items, total, ...(nextCursor === undefined ? {} : { nextCursor }), at: at() };
    },

    'sets.get': ({ group, family }, { caller }) =>
      setsOf(group, family ?? undefined).map((set) => setDetail(state, set, caller, holders?.last() ?? null)),

    'sets.members': async ({ group, family, ...query }) => {
      const page = await memberPage(state, orders, { ...query, sets: setsOf(group, family) });
      return { ...page, items: [...page.items] };
    },

    'sets.drift': ({ group, cursor, limit }) => {
      const page = state.ports.store.drift.list({
        limit,
        ...(group === undefined ? {} : { group }),
        ...(cursor === undefined ? {} : { before: cursor }),
      });
      return { ...page, items: [...page.items], at: at() };
    },

    'sets.reprogram': async ({ digest, reason, wait, ...selection }, { caller }) =>
      runOf(await acts.reprogram(selectionOf(selection), actOf(caller, { reason, digest })), wait),
  };
}

/** A selection without the keys that were not given. */
export const selectionOf = ({
  groups,
  reprogram,
  all,
  maxelem,
}: {
  readonly groups: readonly string[];
  readonly reprogram: boolean;
  readonly all: boolean;
  readonly maxelem?: number | undefined;
}) => ({ groups, reprogram, all, ...(maxelem === undefined ? {} : { maxelem }) });

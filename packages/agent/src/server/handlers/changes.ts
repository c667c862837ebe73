import type { Handlers } from '@setkeeper/api';
import type { ChangeRepository } from '../../store/store.ts';

export interface ChangesDependencies {
  readonly changes: ChangeRepository;
  readonly now: () => number;
}

export function changesHandlers({ changes, now }: ChangesDependencies): Pick<Handlers, 'changes.list'> {
  return {
    'changes.list': ({ cursor, limit, filter, kind, since }) => {
      const page = changes.list({
        limit,
        ...(cursor === undefined ? {} : { before: cursor }),
        ...(filter === undefined ? {} : { text: filter }),
        ...(kind === undefined ? {} : { kind }),
        ...(since === undefined ? {} : { since }),
      });
      return { ...page, items: [...page.items], at: new Date(now()).toISOString() };
    },
  };
}

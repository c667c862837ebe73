import type { Handlers } from '@setkeeper/api';
import type { AuditRepository } from '../../store/store.ts';

export interface AuditDependencies {
  readonly audit: AuditRepository;
  readonly now: () => number;
}

export function auditHandlers({ audit, now }: AuditDependencies): Pick<Handlers, 'audit.list' | 'audit.verify'> {
  return {
    'audit.list': ({ cursor, limit, filter, actor, verb }) => {
      const page = audit.list({
        limit,
        ...(cursor === undefined ? {} : { before: cursor }),
        ...(filter === undefined ? {} : { text: filter }),
        ...(actor === undefined ? {} : { actor }),
        ...(verb === undefined ? {} : { verb }),
      });
      return { ...page, items: [...page.items], at: new Date(now()).toISOString() };
    },
    'audit.verify': () => audit.verify(),
  };
}

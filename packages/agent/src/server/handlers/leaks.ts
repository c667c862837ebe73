import type { Handlers } from '@setkeeper/api';
import type { Clock } from '../../clock.ts';
import { namedLeaks } from '../../leaks/named-leaks.ts';
import type { HostObserver } from '../../observe/host-observer.ts';
import type { ManagedView } from '../../observe/managed-view.ts';

export interface LeaksDependencies {
  readonly observer: HostObserver;
  readonly managed: ManagedView;
  readonly clock: Pick<Clock, 'now'>;
  readonly afterSeconds: number;
}

/** Lasting unexplained references, read anew, and named ones that nobody seems to need. */
export function leaksHandlers(deps: LeaksDependencies): Pick<Handlers, 'leaks.list'> {
  const { observer, managed, clock, afterSeconds } = deps;
  return {
    'leaks.list': async () => {
      await observer.readHolders();
      return [...observer.leaks.leaks(afterSeconds), ...namedLeaks(managed.pins(), clock.now())];
    },
  };
}

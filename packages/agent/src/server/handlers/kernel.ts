import { ApiError, type Handlers, type KernelSet } from '@setkeeper/api';
import type { Clock } from '../../clock.ts';
import type { HostObserver } from '../../observe/host-observer.ts';
import { kernelRows } from '../../ownership/kernel-rows.ts';
import type { OwnershipRules } from '../../ownership/set-ownership.ts';
import { createBreather } from '../../sources/breather.ts';

export interface KernelDependencies {
  readonly observer: Pick<HostObserver, 'readHeaders' | 'holders'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly rules: () => OwnershipRules;
}

/** Every set of the host, headers read anew. Others have their turn while the rows are made. */
export function kernelHandlers({ observer, clock, rules }: KernelDependencies): Pick<Handlers, 'kernel.list'> {
  return {
    'kernel.list': async ({ filter, owner }) => {
      const headers = await observer.readHeaders();
      if ('code' in headers) {
        throw new ApiError('not-ready', `The kernel's sets cannot be read: ${headers.message}`, {
          remedy: 'Run "setkeeper doctor".',
        });
      }
      const firewalldSets = observer.holders?.firewalldSets ?? new Set<string>();
      const breathe = createBreather(clock);
      const rows: KernelSet[] = [];
      for (const row of kernelRows(headers, { ...rules(), firewalldSets })) {
        if ((owner === undefined || row.owner === owner) && holdsText(filter, row.name, row.group)) rows.push(row);
        const pause = breathe();
        if (pause !== null) await pause;
      }
      return rows;
    },
  };
}

/** Whether a text stands in one of a row's words; no text stands everywhere. Upper and lower case are one. */
export function holdsText(text: string | undefined, ...words: readonly (string | undefined)[]): boolean {
  if (text === undefined || text === '') return true;
  const wanted = text.toLowerCase();
  return words.some((word) => word?.toLowerCase().includes(wanted) === true);
}

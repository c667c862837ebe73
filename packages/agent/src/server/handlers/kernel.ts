import { ApiError, type Handlers } from '@setkeeper/api';
import type { HostObserver } from '../../observe/host-observer.ts';
import { kernelRows } from '../../ownership/kernel-rows.ts';
import type { OwnershipRules } from '../../ownership/set-ownership.ts';

export interface KernelDependencies {
  readonly observer: HostObserver;
  readonly rules: () => OwnershipRules;
}

/** Every set of the host, headers read anew. */
export function kernelHandlers({ observer, rules }: KernelDependencies): Pick<Handlers, 'kernel.list'> {
  return {
    'kernel.list': async ({ filter, owner }) => {
      const headers = await observer.readHeaders();
      if ('code' in headers) {
        throw new ApiError('not-ready', `The kernel's sets cannot be read: ${headers.message}`, {
          remedy: 'Run "setkeeper doctor".',
        });
      }
      const firewalldSets = observer.holders?.firewalldSets ?? new Set<string>();
      return kernelRows(headers, { ...rules(), firewalldSets }).filter(
        (row) => (owner === undefined || row.owner === owner) && holdsText(filter, row.name, row.group),
      );
    },
  };
}

/** Whether a text stands in one of a row's words; no text stands everywhere. Upper and lower case are one. */
export function holdsText(text: string | undefined, ...words: readonly (string | undefined)[]): boolean {
  if (text === undefined || text === '') return true;
  const wanted = text.toLowerCase();
  return words.some((word) => word?.toLowerCase().includes(wanted) === true);
}

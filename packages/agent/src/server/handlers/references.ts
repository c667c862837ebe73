import { ApiError, type Handlers } from '@setkeeper/api';
import { type GroupId, parseGroupId } from '@setkeeper/ipset';
import { referenceRows } from '../../holders/reference-rows.ts';
import type { HostObserver } from '../../observe/host-observer.ts';
import type { ManagedView } from '../../observe/managed-view.ts';
import type { OwnershipRules } from '../../ownership/set-ownership.ts';
import { holdsText } from './kernel.ts';

export interface ReferencesDependencies {
  readonly observer: HostObserver;
  readonly managed: ManagedView;
  readonly rules: () => OwnershipRules;
}

/** Named references, the kernel's number and the holders found, read anew. */
export function referencesHandlers(deps: ReferencesDependencies): Pick<Handlers, 'references.list'> {
  const { observer, managed, rules } = deps;
  return {
    'references.list': async ({ group: text, filter }) => {
      const group = text === undefined ? undefined : groupIdOf(text, managed);
      const reading = await observer.readHolders();
      const rows = referenceRows({ reading, leaks: observer.leaks, managed, rules: rules() }, group);
      return rows.filter(({ name, group: of }) => holdsText(filter, name, of));
    },
  };
}

function groupIdOf(text: string, managed: ManagedView): GroupId {
  const parsed = parseGroupId(text);
  if (!parsed.ok) throw new ApiError('bad-input', `${text} is no group: ${parsed.reason}`, { subject: text });
  for (const _set of managed.sets(parsed.id)) return parsed.id;
  throw new ApiError('not-found', `There is no group ${text} in the model, and nothing references it.`, {
    subject: text,
    remedy: '"setkeeper groups" lists the groups.',
  });
}

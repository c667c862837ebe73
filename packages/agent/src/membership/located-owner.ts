import type { Owner } from '@setkeeper/api';
import { type ObjectKey, objectKey } from '../model/objects.ts';
import type { MembershipOptions } from './membership-options.ts';

/** An owner with the file that its object was read from, where one is known. */
export function locatedOwner(owner: Owner, originOf: MembershipOptions['originOf']): Owner {
  const key =
    owner.endpoint === undefined ? (owner.object as ObjectKey | undefined) : objectKey('endpoint', owner.endpoint);
  const file = key === undefined ? undefined : originOf?.(key)?.file;
  return file === undefined ? owner : { ...owner, file };
}

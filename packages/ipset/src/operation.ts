import type { SetHeader } from './header.ts';
import type { Member } from './member.ts';
import type { SetName } from './set-name.ts';

/** One step of a plan; one line of a restore script. */
export type Operation =
  | { readonly op: 'create'; readonly set: SetName; readonly header: SetHeader }
  | { readonly op: 'add' | 'del'; readonly set: SetName; readonly member: Member }
  | { readonly op: 'swap'; readonly from: SetName; readonly to: SetName }
  | { readonly op: 'destroy'; readonly set: SetName };

export function renderOperation(_op: Operation): string {
  throw new Error('not written yet');
}

export function renderElement(_member: Member): string {
  throw new Error('not written yet');
}

/** False for a member that only the kernel can have told us, such as a set with a space in its name in a list. */
export function isWritableMember(_member: string): boolean {
  throw new Error('not written yet');
}

export function describeOperation(_op: Operation): string {
  throw new Error('not written yet');
}

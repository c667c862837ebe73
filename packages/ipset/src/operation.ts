import type { SetHeader } from './header.ts';
import type { Member } from './member.ts';
import type { SetName } from './set-name.ts';

/** One step of a plan, and one line of a restore script. */
export type Operation =
  | { readonly op: 'create'; readonly set: SetName; readonly header: SetHeader }
  | { readonly op: 'add' | 'del'; readonly set: SetName; readonly member: Member }
  | { readonly op: 'swap'; readonly from: SetName; readonly to: SetName }
  | { readonly op: 'destroy'; readonly set: SetName };

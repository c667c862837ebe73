import type { AccountEvent } from '@setkeeper/api';
import { auditInput } from './audit-input.ts';

/** An act of an account as the audit has it: who, what, with what. A name that was typed and not proved is not who. */
export function accountAct(
  { at, actor, role, proved, act, subject, address }: AccountEvent,
  refusalsNotRecorded: number,
): { readonly actor: string; readonly role: string; readonly verb: string; readonly input: string } {
  return {
    actor: proved ? actor : '-',
    role: proved ? (role ?? '-') : '-',
    verb: `account.${act}`,
    input: auditInput({
      ...(proved ? {} : { typedName: actor }),
      ...(subject === '' ? {} : { subject }),
      address,
      at,
      ...(refusalsNotRecorded === 0 ? {} : { refusalsNotRecorded }),
    }),
  };
}

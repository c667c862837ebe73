import type { Family } from './family.ts';
import type { ManagedType } from './set-type.ts';

/** Canonical text of a member, exactly as `ipset save` prints the element, followed by ' nomatch' where it is an exception. */
export type Member = string & { readonly __brand: 'Member' };

export type MemberFaultCode =
  | 'not-an-address'
  | 'leading-zero'
  | 'range'
  | 'wrong-family'
  | 'prefix-not-allowed'
  | 'bad-prefix'
  | 'null-address'
  | 'port-missing'
  | 'bad-protocol'
  | 'bad-port'
  | 'nomatch-not-allowed'
  | 'bad-set-name';

export type CanonicalMember =
  | { readonly ok: true; readonly member: Member; readonly warning?: string }
  | { readonly ok: false; readonly code: MemberFaultCode; readonly reason: string };

export function canonicalMember(_type: ManagedType, _family: Family | null, _text: string): CanonicalMember {
  throw new Error('not written yet');
}

export function memberFromKernel(_type: string, _family: Family | null, _element: string, _nomatch: boolean): Member {
  throw new Error('not written yet');
}

export function memberKey(_member: Member): string {
  throw new Error('not written yet');
}

export function isNomatch(_member: Member): boolean {
  throw new Error('not written yet');
}

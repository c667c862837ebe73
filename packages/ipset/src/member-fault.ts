import type { Family } from './family.ts';
import { parseCidr, parseIp } from './ip-address.ts';
import type { Member } from './member.ts';

/** Why a text is no member: a closed list, for tests and for documents; the reason beside it is for people. */
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

export interface MemberFault {
  readonly code: MemberFaultCode;
  readonly reason: string;
}

/** A canonical member, with a warning where something was cut; or a fault. */
export type CanonicalMember =
  | { readonly ok: true; readonly member: Member; readonly warning?: string }
  | ({ readonly ok: false } & MemberFault);

/** Why a text is no address of the family, in the words of somebody who wants to mend it; undefined if it is one. */
export function addressFault(family: Family, text: string): MemberFault | undefined {
  const parsed = parseIp(text);
  if (parsed?.family === family) return undefined;
  const wanted = family === 'inet' ? 'IPv4' : 'IPv6';
  if (parsed !== undefined) {
    const seen = parsed.family === 'inet' ? 'IPv4' : 'IPv6';
    return { code: 'wrong-family', reason: `${quoted(text)} is an ${seen} address where an ${wanted} one is wanted` };
  }
  if (isRange(text)) {
    return { code: 'range', reason: `${quoted(text)} is a range; write the addresses or networks one by one` };
  }
  if (FOUR_NUMBERS.test(text) && /(?:^|\.)0[0-9]/.test(text)) {
    return {
      code: 'leading-zero',
      reason: `${quoted(text)} has an octet with a leading zero, which some tools read as octal`,
    };
  }
  if (SHORT_FORM.test(text)) {
    return { code: 'not-an-address', reason: `${quoted(text)} is no IPv4 address: four octets are wanted` };
  }
  return { code: 'not-an-address', reason: `${quoted(text)} is no ${wanted} address, and names are never looked up` };
}

/** A text of unknown origin for a message: in quotes, its control characters escaped, at most 80 characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length <= 80 ? text : `${text.slice(0, 79)}…`).replace(UNPRINTABLE, escapeCharacter);

const FOUR_NUMBERS = /^[0-9]+(?:\.[0-9]+){3}$/;
const SHORT_FORM = /^[0-9]+(?:\.[0-9]+){0,2}$/;
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

const escapeCharacter = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

function isRange(text: string): boolean {
  const dash = text.indexOf('-');
  return dash > 0 && parseCidr(text.slice(0, dash)) !== undefined && parseCidr(text.slice(dash + 1)) !== undefined;
}

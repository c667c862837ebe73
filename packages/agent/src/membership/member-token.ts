import { type Family, formatIpv4, type Member, readIpv4 } from '@setkeeper/ipset';

/** A member in little memory: a plain IPv4 address as an unsigned 32-bit number, every other member as its canonical text. */
export type MemberToken = number | Member;

/** The token of a member. */
export function tokenOf(member: Member): MemberToken {
  const value = readIpv4(member, 0, member.length);
  return value < 0 ? member : value;
}

/** The member of a token. */
export const memberOf = (token: MemberToken): Member =>
  typeof token === 'number' ? (formatIpv4(token) as Member) : token;

/** The family of a token that is a plain address. */
export const familyOfAddress = (address: MemberToken): Family => (typeof address === 'number' ? 'inet' : 'inet6');

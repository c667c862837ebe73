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

/** The address of a member of a tag or port group, and what stands behind it; null for one that no such group can hold. */
export function splitMember(
  port: string | undefined,
  family: Family,
  member: Member,
): { readonly address: MemberToken; readonly suffix: string } | null {
  const comma = port === undefined ? -1 : member.indexOf(',');
  if (port !== undefined && comma < 0) return null;
  const address = tokenOf((comma < 0 ? member : member.slice(0, comma)) as Member);
  if (familyOfAddress(address) !== family) return null;
  return { address, suffix: comma < 0 ? '' : member.slice(comma) };
}

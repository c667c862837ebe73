import { type IpNetwork, type Member, memberKey, parseCidr } from '@setkeeper/ipset';

/** A network taken apart once, to be asked many times what lies inside it. */
export type NetworkRange = IpNetwork;

/** The range of a `hash:net` member, with or without `nomatch`; undefined for text that is none. */
export const rangeOf = (member: Member): NetworkRange | undefined => parseCidr(memberKey(member));

/** True if `inner` is a part of `outer`, or the same. */
export function isInside(inner: NetworkRange, outer: NetworkRange): boolean {
  if (inner.prefixLength < outer.prefixLength) return false;
  const a = inner.address;
  const b = outer.address;
  if (a.family === 'inet' && b.family === 'inet') {
    const shift = 32 - outer.prefixLength;
    return shift === 32 || a.value >>> shift === b.value >>> shift;
  }
  if (a.family !== 'inet6' || b.family !== 'inet6') return false;
  return b.groups.every((group, index) => {
    const bits = Math.min(16, Math.max(0, outer.prefixLength - index * 16));
    const shift = 16 - bits;
    return group >>> shift === (a.groups[index] ?? 0) >>> shift;
  });
}

/** The exception (`nomatch`) of a network given without it. */
export const exceptionOf = (network: string): Member => `${network} nomatch` as Member;

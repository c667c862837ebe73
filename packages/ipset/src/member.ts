/** Canonical text of a member, exactly as `ipset save` prints the element, followed by ' nomatch' where it is an exception. */
export type Member = string & { readonly __brand: 'Member' };

/** What follows the element of an exception. */
export const NOMATCH = ' nomatch';

/** The member without its `nomatch`: what the kernel tells elements apart by. */
export const memberKey = (member: Member): string => (isNomatch(member) ? member.slice(0, -NOMATCH.length) : member);

/** True for an exception (`nomatch`) of a `hash:net`. */
export const isNomatch = (member: Member): boolean => member.endsWith(NOMATCH);

/** Address family as netfilter names it. A `list:set` has none: its family is `null` everywhere. */
export type Family = 'inet' | 'inet6';

/** Both families, IPv4 first: the order in which they are shown everywhere. */
export const FAMILIES: readonly Family[] = ['inet', 'inet6'];

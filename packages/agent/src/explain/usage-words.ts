import type { Holder } from '@setkeeper/api';

/** How a holder uses a set, for people: `INPUT rule 3 DROP`, `raw PREROUTING rule 1 ACCEPT`, `list trusted`. */
export function usageWords(holder: Holder): string {
  const { kind, chain, number, rule, table } = holder;
  if (chain === undefined || number === undefined || rule === undefined) return holder.where;
  const target = / -(?:j|g) (\S+)/u.exec(rule)?.[1];
  const place = table === undefined || table === 'filter' ? chain : `${table} ${chain}`;
  const family = kind.startsWith('ip6tables') ? ' (IPv6)' : '';
  return `${place} rule ${number}${target === undefined ? '' : ` ${target}`}${family}`;
}

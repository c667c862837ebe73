import type { Holder } from '@setkeeper/api';
import type { Column } from '../output/output.ts';

/** How holders are shown, with the command that removes each. */
export const holderColumns: readonly Column<Holder>[] = [
  { head: 'holder', cell: (holder) => holder.kind },
  { head: 'where', cell: (holder) => holder.where },
  { head: 'count', align: 'right', cell: (holder) => holder.count },
  { head: 'rule', cell: (holder) => holder.rule },
  { head: 'remove with', cell: (holder) => holder.removeWith },
];

/** Holders on one line, for rows that have other things to say too. */
export const holdersText = (holders: readonly Holder[]): string =>
  holders.length === 0 ? 'none found' : holders.map((holder) => `${holder.kind} ${holder.where}`).join('; ');

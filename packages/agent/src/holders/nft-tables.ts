import type { Holder } from '@setkeeper/api';
import { z } from 'zod';
import { shellCommand } from './shell-word.ts';

/** A table of nftables. */
export interface NftTable {
  readonly family: string;
  readonly name: string;
}

/** What a table of nftables says of ipsets. */
export interface NftTableReading {
  /** Rules of the compat match or target `set`: nft does not show which set. */
  readonly compat: readonly Holder[];
  /** Names of nftables' own sets, which have nothing to do with ipsets of the same name. */
  readonly nativeSets: readonly string[];
}

const Output = z.object({ nftables: z.array(z.record(z.string(), z.unknown())) });
const Table = z.object({ family: z.string(), name: z.string() });
const NativeSet = z.object({ name: z.string() });
const Rule = z.object({
  family: z.string(),
  table: z.string(),
  chain: z.string(),
  handle: z.number(),
  expr: z.array(z.record(z.string(), z.unknown())),
});
const Compat = z.object({ name: z.enum(['set', 'SET']) });

/** The tables of `nft -j list tables`; undefined if it is not the JSON that nft prints. */
export function parseNftTables(json: string): readonly NftTable[] | undefined {
  return entriesOf(json)?.flatMap((entry) => {
    const table = Table.safeParse(entry.table);
    return table.success ? [table.data] : [];
  });
}

/**
 * Rules of the compat match or target `set`, and native sets, in `nft -j -t list table`. nft 1.0.6 shows
 * `{"xt":{"type":"match","name":"set"}}` without the set's name, hence possible holders only (KERNEL.md section 6).
 */
export function parseNftTable(json: string): NftTableReading | undefined {
  const entries = entriesOf(json);
  if (entries === undefined) return undefined;
  const compat: Holder[] = [];
  const nativeSets: string[] = [];
  for (const entry of entries) {
    const set = NativeSet.safeParse(entry.set);
    if (set.success) nativeSets.push(set.data.name);
    const rule = Rule.safeParse(entry.rule);
    if (rule.success) compat.push(...compatHolders(rule.data));
  }
  return { compat, nativeSets };
}

function compatHolders({ family, table, chain, handle, expr }: z.infer<typeof Rule>): readonly Holder[] {
  const count = expr.filter((expression) => Compat.safeParse(expression.xt).success).length;
  if (count === 0) return [];
  return [
    {
      kind: 'nft-compat',
      where: `${family} ${table} ${chain} handle ${handle}`,
      table,
      chain,
      count,
      removeWith: shellCommand('nft', 'delete', 'rule', family, table, chain, 'handle', String(handle)),
    },
  ];
}

function entriesOf(json: string): readonly Record<string, unknown>[] | undefined {
  try {
    const output = Output.safeParse(JSON.parse(json));
    return output.success ? output.data.nftables : undefined;
  } catch {
    return undefined;
  }
}

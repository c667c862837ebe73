import type { Holder } from '@setkeeper/api';
import { z } from 'zod';

const Ruleset = z.object({ nftables: z.array(z.record(z.string(), z.unknown())) });
const Rule = z.object({
  family: z.string(),
  table: z.string(),
  chain: z.string(),
  handle: z.number(),
  expr: z.array(z.record(z.string(), z.unknown())),
});

/** The tables whose rules the iptables save tools print with the set's name. */
const PRINTED = new Set(['filter', 'nat', 'mangle', 'raw', 'security']);

/**
 * Rules of the compat match or target `set` in `nft -j list ruleset`, in tables that no iptables save tool prints.
 * nft shows `{"xt":{"type":"match","name":"set"}}` without the set's name, hence possible holders only (KERNEL.md section 6).
 */
export function readNftCompat(json: string): readonly Holder[] | undefined {
  const ruleset = Ruleset.safeParse(parseJson(json));
  if (!ruleset.success) return undefined;
  const holders: Holder[] = [];
  for (const entry of ruleset.data.nftables) {
    const rule = Rule.safeParse(entry.rule);
    if (!rule.success) continue;
    const { family, table, chain, handle, expr } = rule.data;
    if ((family === 'ip' || family === 'ip6') && PRINTED.has(table)) continue;
    const count = expr.filter(isCompatSet).length;
    if (count === 0) continue;
    const where = `${family} ${table} ${chain} handle ${handle}`;
    holders.push({ kind: 'nft-compat', where, table, chain, count, removeWith: `nft delete rule ${where}` });
  }
  return holders;
}

const Compat = z.object({ name: z.enum(['set', 'SET']) });

function isCompatSet(expression: Record<string, unknown>): boolean {
  return Compat.safeParse(expression.xt).success;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

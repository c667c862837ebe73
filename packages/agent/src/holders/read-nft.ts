import type { Holder, Unreadable } from '@setkeeper/api';
import type { HolderQuestion } from './holder-question.ts';
import type { HolderTools } from './holder-tools.ts';
import { parseNftTable, parseNftTables } from './nft-tables.ts';
import { toolFault } from './tool-fault.ts';

/** What nftables says of ipsets. */
export interface NftReading {
  readonly possible: readonly Holder[];
  /** Sets of firewalld's own table: with its nftables backend it filters by these, and an ipset of the same name enforces nothing. */
  readonly firewalldSets: ReadonlySet<string>;
  readonly unreadable: readonly Unreadable[];
}

/** Beyond this nobody looks for a rule by eye, and JSON of that size would stall the agent. */
const JSON_BYTES_MAX = 8 * 1024 * 1024;
const TABLES_MAX = 100;

/**
 * Looks for compat rules in tables that no save tool printed, if `wantsCompat` (something is unexplained), and for
 * firewalld's native sets. One process, and one a table looked into.
 */
export async function readNft(
  tools: HolderTools,
  o: { readonly printed: ReadonlySet<string>; readonly wantsCompat: boolean },
): Promise<NftReading> {
  const possible: Holder[] = [];
  const firewalldSets = new Set<string>();
  const unreadable: Unreadable[] = [];
  const tables = await askJson(tools, { ask: 'nft-tables' }, 'nft list tables', parseNftTables);
  if ('what' in tables) {
    return { possible, firewalldSets, unreadable: o.wantsCompat ? [tables] : [] };
  }
  const isFirewalld = (family: string, name: string): boolean => family === 'inet' && name === 'firewalld';
  const asked = tables.value.filter(
    ({ family, name }) => isFirewalld(family, name) || (o.wantsCompat && !o.printed.has(`${family} ${name}`)),
  );
  if (asked.length > TABLES_MAX) {
    unreadable.push({
      what: 'nft list ruleset',
      why: `there are ${asked.length} tables, and only ${TABLES_MAX} were looked into`,
      remedy: 'Search the output of `nft list ruleset` for `xt match set`.',
    });
  }
  for (const { family, name } of asked.slice(0, TABLES_MAX)) {
    const what = `nft list table ${family} ${name}`;
    const table = await askJson(tools, { ask: 'nft-table', family, table: name }, what, parseNftTable);
    if ('what' in table) {
      unreadable.push(table);
      continue;
    }
    for (const holder of table.value.compat) possible.push(holder);
    if (isFirewalld(family, name)) for (const set of table.value.nativeSets) firewalldSets.add(set);
  }
  return { possible, firewalldSets, unreadable };
}

async function askJson<T>(
  tools: HolderTools,
  question: HolderQuestion,
  what: string,
  parse: (json: string) => T | undefined,
): Promise<{ readonly value: T } | Unreadable> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const answer = await tools.ask(question, (chunk) => {
    bytes += chunk.byteLength;
    if (bytes <= JSON_BYTES_MAX) chunks.push(chunk);
  });
  const fault = toolFault(what, answer);
  if (fault !== null) return fault;
  const remedy = 'Rules of this table may hold sets unseen: search it for `xt match set`.';
  if (bytes > JSON_BYTES_MAX) return { what, why: `its output is larger than ${JSON_BYTES_MAX} bytes`, remedy };
  const value = parse(Buffer.concat(chunks).toString('utf8'));
  return value === undefined ? { what, why: 'its output is not the JSON that was expected', remedy } : { value };
}

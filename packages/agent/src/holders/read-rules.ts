import type { Holder, Unreadable } from '@setkeeper/api';
import type { SaveTool } from './holder-question.ts';
import type { HolderTools, ToolAnswer } from './holder-tools.ts';
import type { KnownNames } from './known-names.ts';
import { RulesParser, type RulesSummary, type RulesTool } from './rules-parser.ts';
import { toolFault } from './tool-fault.ts';

/** What all the rules of iptables and ip6tables say of sets. */
export interface RulesReading {
  readonly holders: readonly (readonly [set: string, holder: Holder])[];
  readonly unreadable: readonly Unreadable[];
  /** `ip filter`, `ip6 raw`: the nft tables whose compat rules were printed with the names of their sets. */
  readonly printedNftTables: ReadonlySet<string>;
  /** Rules that use a set of a name nobody knew when the reading began. */
  readonly unknown: readonly string[];
  /** Whether some tool could be run, and none failed: then what is not in `holders` is in no table that they print. */
  readonly isConclusive: boolean;
}

interface Variant {
  readonly kind: RulesTool;
  readonly tool: SaveTool;
}
const IPV4: readonly Variant[] = [
  { kind: 'iptables-nft', tool: 'iptables-nft-save' },
  { kind: 'iptables-legacy', tool: 'iptables-legacy-save' },
];
const IPV6: readonly Variant[] = [
  { kind: 'ip6tables-nft', tool: 'ip6tables-nft-save' },
  { kind: 'ip6tables-legacy', tool: 'ip6tables-legacy-save' },
];

/** Reads the rules of every variant and family, and says what could not be read. */
export async function readRules(tools: HolderTools, names: KnownNames): Promise<RulesReading> {
  const collected = new Collected();
  await readFamily(tools, names, IPV4, 'iptables-save', collected);
  await readFamily(tools, names, IPV6, 'ip6tables-save', collected);
  return collected;
}

class Collected implements RulesReading {
  readonly holders: (readonly [set: string, holder: Holder])[] = [];
  readonly unreadable: Unreadable[] = [];
  readonly printedNftTables = new Set<string>();
  readonly unknown: string[] = [];
  ran = 0;
  failed = 0;

  get isConclusive(): boolean {
    return this.ran > 0 && this.failed === 0;
  }
}

async function readFamily(
  tools: HolderTools,
  names: KnownNames,
  variants: readonly Variant[],
  plain: SaveTool,
  collected: Collected,
): Promise<void> {
  const missing: SaveTool[] = [];
  for (const variant of variants) {
    const answer = await readVariant(tools, names, variant, collected);
    if (answer.kind === 'missing') missing.push(variant.tool);
  }
  // Where iptables comes without the names of its variants, the one there is says in its first line which it is.
  const isNameless = missing.length === variants.length && (await readPlain(tools, names, plain, collected));
  if (isNameless) return;
  for (const tool of missing) take(collected.unreadable, toolFault(tool, { kind: 'missing' }));
}

async function readVariant(
  tools: HolderTools,
  names: KnownNames,
  { kind, tool }: Variant,
  collected: Collected,
): Promise<ToolAnswer> {
  const parser = new RulesParser(kind, names, (set, holder) => collected.holders.push([set, holder]));
  const answer = await tools.ask({ ask: 'rules', tool }, (chunk) => parser.push(chunk));
  if (answer.kind !== 'missing') enter(tool, kind, answer, parser.end(), collected);
  return answer;
}

async function readPlain(
  tools: HolderTools,
  names: KnownNames,
  tool: SaveTool,
  collected: Collected,
): Promise<boolean> {
  const family = tool === 'ip6tables-save' ? 'ip6tables' : 'iptables';
  const chunks: Uint8Array[] = [];
  const answer = await tools.ask({ ask: 'rules', tool }, (chunk) => chunks.push(chunk));
  if (answer.kind === 'missing') return false;
  const text = Buffer.concat(chunks);
  const kind = `${family}-${text.subarray(0, 200).includes('(nf_tables)') ? 'nft' : 'legacy'}` as const;
  const parser = new RulesParser(kind, names, (set, holder) => collected.holders.push([set, holder]));
  parser.push(text);
  enter(tool, kind, answer, parser.end(), collected);
  return true;
}

function enter(tool: SaveTool, kind: RulesTool, answer: ToolAnswer, summary: RulesSummary, collected: Collected): void {
  const { unreadable, printedNftTables, unknown } = collected;
  const fault = toolFault(tool, answer);
  take(unreadable, fault);
  if (answer.kind === 'ran') collected.ran += 1;
  if (fault !== null || summary.isCut) collected.failed += 1;
  if (fault === null && summary.isCut) {
    unreadable.push({ what: tool, why: 'its output ends inside a table', remedy: 'It is read again later.' });
  }
  for (const table of summary.incompatible) {
    unreadable.push({
      what: `${tool}, table ${table}`,
      why: 'the tool refuses to print a table that other tools changed',
      remedy: `Look at it with: nft list table ${kind === 'ip6tables-nft' ? 'ip6' : 'ip'} ${table}`,
    });
  }
  for (const holder of summary.unknown) unknown.push(holder);
  if (!kind.endsWith('-nft')) return;
  for (const table of summary.tables) printedNftTables.add(`${kind === 'ip6tables-nft' ? 'ip6' : 'ip'} ${table}`);
}

function take(unreadable: Unreadable[], fault: Unreadable | null): void {
  if (fault !== null) unreadable.push(fault);
}

import type { Holder } from '@setkeeper/api';

/** Which save tool printed the text. */
export type RulesTool = 'iptables-nft' | 'ip6tables-nft' | 'iptables-legacy' | 'ip6tables-legacy';

/** One rule's mention of a set. A rule that names a set twice holds two references. */
export interface RuleMention {
  readonly set: string;
  readonly holder: Holder;
}

/** What a save tool's output said: mentions of sets, and lines that could not be understood. */
export interface RulesReading {
  readonly mentions: readonly RuleMention[];
  readonly rules: number;
  readonly tables: readonly string[];
  /** Rules that mention a set in a form that names no known set: shown, never dropped. */
  readonly unknown: readonly string[];
}

/**
 * Finds the sets that rules use in the output of an `iptables-save` of either variant (`-c` counters optional).
 *
 * A comment that contains `--match-set x` is no holder: quoted text is skipped. Set names are printed unquoted and may hold spaces, so a
 * name is matched against the names that exist, longest first (KERNEL.md section 6, measured with iptables 1.8.9).
 */
export function readRules(text: string, tool: RulesTool, names: ReadonlySet<string>): RulesReading {
  const mentions: RuleMention[] = [];
  const unknown: string[] = [];
  const tables: string[] = [];
  const numbers = new Map<string, number>();
  let table = '';
  let rules = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('*')) {
      table = line.slice(1).trim();
      tables.push(table);
      numbers.clear();
      continue;
    }
    const rule = parseRuleLine(line);
    if (rule === undefined) continue;
    rules += 1;
    const number = (numbers.get(rule.chain) ?? 0) + 1;
    numbers.set(rule.chain, number);
    const counts = new Map<string, number>();
    for (const at of optionPositions(rule.text)) {
      const set = nameAt(rule.text, at, names);
      if (set === undefined) unknown.push(`${table}: ${rule.text}`);
      else counts.set(set, (counts.get(set) ?? 0) + 1);
    }
    for (const [set, count] of counts) mentions.push({ set, holder: holderOf(tool, table, number, rule, count) });
  }
  return { mentions, rules, tables, unknown };
}

interface RuleLine {
  readonly chain: string;
  readonly text: string;
  readonly packets: string | undefined;
  readonly bytes: string | undefined;
}

function parseRuleLine(line: string): RuleLine | undefined {
  const match = /^(?:\[(\d+):(\d+)\] )?-A (\S+)(?: |$)/u.exec(line);
  if (match === null) return undefined;
  const [, packets, bytes, chain = ''] = match;
  const text = packets === undefined ? line : line.slice(line.indexOf('] ') + 2);
  return { chain, text, packets, bytes };
}

const OPTION = /(?:^| )--(?:match-set|add-set|del-set|map-set) /gu;

/** Where, outside quoted text, an option that names a set ends. */
function optionPositions(rule: string): number[] {
  const unquoted = blankQuoted(rule);
  return [...unquoted.matchAll(OPTION)].map((match) => match.index + match[0].length);
}

/** The rule with quoted text blanked, positions kept. A backslash escapes inside quotes. */
function blankQuoted(rule: string): string {
  return rule.replace(/"(?:[^"\\]|\\.)*"/gu, (quoted) => '\u0000'.repeat(quoted.length));
}

const DIRECTIONS = /^ (?:src|dst)(?:,(?:src|dst)){0,5}(?= |$)/u;

/** The longest existing name that stands at `at` and is followed by directions, as the save tools print it. */
function nameAt(rule: string, at: number, names: ReadonlySet<string>): string | undefined {
  let found: string | undefined;
  for (let end = at; end <= Math.min(rule.length, at + 64); end += 1) {
    if (rule[end] !== ' ') continue;
    const name = rule.slice(at, end);
    if (names.has(name) && DIRECTIONS.test(rule.slice(end))) found = name;
  }
  return found;
}

function holderOf(tool: RulesTool, table: string, number: number, rule: RuleLine, count: number): Holder {
  return {
    kind: tool,
    where: `${table} ${rule.chain} ${number}`,
    table,
    chain: rule.chain,
    number,
    rule: rule.text,
    ...(rule.packets === undefined || rule.bytes === undefined ? {} : { packets: rule.packets, bytes: rule.bytes }),
    count,
    removeWith: `${tool} -t ${table} -D ${shellWord(rule.chain)} ${number}`,
  };
}

/** A word that a shell reads back as itself. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_.,:/=@%+-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

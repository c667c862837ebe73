import type { Holder } from '@setkeeper/api';
import { commentText } from '@setkeeper/ipset';
import type { KnownNames } from './known-names.ts';
import { closingQuote, ruleWords } from './rule-words.ts';
import { shellCommand } from './shell-word.ts';

/** The variant and family of the save tool that printed the text: the kind of the holders found. */
export type RulesTool = 'iptables-nft' | 'ip6tables-nft' | 'iptables-legacy' | 'ip6tables-legacy';

/** What a save tool's output said besides the holders. */
export interface RulesSummary {
  readonly rules: number;
  /** The tables that were printed, as often as they were. */
  readonly tables: readonly string[];
  /** Tables that iptables-nft refuses to print, since other tools keep rules in them ("is incompatible, use 'nft' tool"). */
  readonly incompatible: readonly string[];
  /** Rules that use a set of a name that is not known: somebody renamed or made it a moment ago. */
  readonly unknown: readonly string[];
  /** The output ends inside a table: the tool died, or the output was cut. */
  readonly isCut: boolean;
}

/**
 * Finds the sets that rules use in the output of `iptables-save -c` of either variant, as a stream: memory is one rule,
 * whatever the number of rules. A rule that names a set twice holds two references.
 */
export class RulesParser {
  readonly #tool: RulesTool;
  readonly #names: KnownNames;
  readonly #onHolder: (set: string, holder: Holder) => void;
  readonly #numbers = new Map<string, number>();
  readonly #tables: string[] = [];
  readonly #incompatible: string[] = [];
  readonly #unknown: string[] = [];
  #carry = '';
  #rules = 0;
  #table: string | null = null;

  constructor(tool: RulesTool, names: KnownNames, onHolder: (set: string, holder: Holder) => void) {
    this.#tool = tool;
    this.#names = names;
    this.#onHolder = onHolder;
  }

  push(chunk: Uint8Array): void {
    const text = this.#carry + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    let start = 0;
    for (;;) {
      const end = lineEnd(text, start);
      if (end < 0) break;
      this.#takeLine(text.slice(start, end));
      start = end + 1;
    }
    this.#carry = text.slice(start);
  }

  /** To be called once, after the last chunk. */
  end(): RulesSummary {
    // A quote that nothing closed opened no string: then each line stands for itself.
    for (const line of this.#carry.split('\n')) this.#takeLine(line);
    this.#carry = '';
    return {
      rules: this.#rules,
      tables: this.#tables,
      incompatible: this.#incompatible,
      unknown: this.#unknown,
      isCut: this.#table !== null,
    };
  }

  #takeLine(line: string): void {
    if (line.startsWith('*')) {
      this.#table = line.slice(1).trim();
      this.#tables.push(this.#table);
      this.#numbers.clear();
    } else if (line === 'COMMIT') {
      this.#table = null;
    } else if (line.startsWith('# Table `')) {
      const name = INCOMPATIBLE.exec(line)?.[1];
      if (name !== undefined) this.#incompatible.push(name);
    } else {
      this.#takeRule(line);
    }
  }

  #takeRule(line: string): void {
    const [, packets, bytes, chain] = RULE.exec(line) ?? [];
    if (chain === undefined || this.#table === null) return;
    this.#rules += 1;
    const number = (this.#numbers.get(chain) ?? 0) + 1;
    this.#numbers.set(chain, number);
    if (!line.includes('-set ')) return;
    const rule = packets === undefined ? line : line.slice(line.indexOf('] ') + 2);
    const { words, sets, unknown } = ruleWords(rule, this.#names);
    if (unknown.length > 0) this.#unknown.push(`${this.#table}: ${commentText(rule)}`);
    for (const [set, count] of countEach(sets)) {
      this.#onHolder(set, {
        kind: this.#tool,
        where: `${this.#table} ${chain} ${number}`,
        table: this.#table,
        chain,
        number,
        rule: commentText(rule),
        ...(packets === undefined || bytes === undefined ? {} : { packets, bytes }),
        count,
        removeWith: commentText(shellCommand(this.#tool, '-t', this.#table, '-D', ...words.slice(1))),
      });
    }
  }
}

const RULE = /^(?:\[(\d+):(\d+)\] )?-A (\S+)(?: |$)/u;
const INCOMPATIBLE = /^# Table `(.*)' is incompatible/u;
/** Comments are at most 255 bytes; more than this behind a quote is no string, and the quote is part of a name. */
const STRING_BYTES_MAX = 4_096;

/** The newline that ends the line, not one inside a quoted string; -1 if it is not there yet. */
function lineEnd(text: string, start: number): number {
  let newline = text.indexOf('\n', start);
  let quote = text.indexOf(' "', start);
  while (newline >= 0 && quote >= 0 && quote < newline) {
    const close = closingQuote(text, quote + 1);
    const length = (close < 0 ? text.length : close) - quote;
    if (close < 0 && length < STRING_BYTES_MAX) return -1;
    if (close >= 0 && length < STRING_BYTES_MAX) {
      if (close > newline) newline = text.indexOf('\n', close);
      quote = text.indexOf(' "', close + 1);
    } else {
      quote = text.indexOf(' "', quote + 1);
    }
  }
  return newline;
}

function countEach(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

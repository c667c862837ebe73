import type { KnownNames } from './known-names.ts';

/** A rule of a save tool's output, taken apart. Texts are latin1: one char a byte. */
export interface RuleWords {
  /** The words as they must be given to the tool again: quotes taken off, a set's name in one word. */
  readonly words: readonly string[];
  /** Sets that the rule names, one entry a reference. */
  readonly sets: readonly string[];
  /** Words in the place of a set's name that name no known set. */
  readonly unknown: readonly string[];
}

/**
 * Takes a rule apart as iptables 1.8 prints it (measured): words are split by one space, strings that hold more than
 * letters, digits, `_` and `-` stand in double quotes with `\` before `"`, `'` and `\`, and may hold newlines; a set's
 * name is never quoted. So a quoted `--match-set x` is no holder, nor is the unquoted comment `--match-set`: the real
 * option stands behind `-m set` alone, those of the SET target behind `-j SET`.
 */
export function ruleWords(rule: string, names: KnownNames): RuleWords {
  const words: string[] = [];
  const sets: string[] = [];
  const unknown: string[] = [];
  let isTarget = false;
  let plainBefore = 0;
  for (let at = 0; at < rule.length; ) {
    if (rule[at] === ' ') {
      at += 1;
      continue;
    }
    if (rule[at] === '"') {
      const close = closingQuote(rule, at);
      if (close >= 0) {
        words.push(unquoted(rule.slice(at + 1, close)));
        plainBefore = 0;
        at = close + 1;
        continue;
      }
    }
    const end = wordEnd(rule, at);
    const word = rule.slice(at, end);
    words.push(word);
    plainBefore += 1;
    at = end;
    if (word === 'SET' && plainBefore > 1 && words.at(-2) === '-j') isTarget = true;
    const isOption = isTarget ? TARGET_OPTIONS.has(word) : word === '--match-set' && isSetMatch(words, plainBefore);
    if (!isOption) continue;
    const found = names.at(rule, end + 1);
    const name = found === undefined ? rule.slice(end + 1, wordEnd(rule, end + 1)) : found.name;
    (found === undefined ? unknown : sets).push(name);
    const nameEnd = found?.end ?? wordEnd(rule, end + 1);
    words.push(rule.slice(end + 1, nameEnd));
    plainBefore = 0;
    at = nameEnd;
  }
  return { words, sets, unknown };
}

/** Where a quote that opens a word is closed, or -1. */
export function closingQuote(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return -1;
}

const TARGET_OPTIONS: ReadonlySet<string> = new Set(['--add-set', '--del-set', '--map-set']);

/** `-m set --match-set`, or `-m set ! --match-set`, none of it quoted. */
function isSetMatch(words: readonly string[], plain: number): boolean {
  const option = words.length - 1;
  const module = words[option - 1] === '!' ? option - 2 : option - 1;
  return plain > option - module + 1 && words[module] === 'set' && words[module - 1] === '-m';
}

function wordEnd(text: string, start: number): number {
  const space = text.indexOf(' ', start);
  return space < 0 ? text.length : space;
}

const unquoted = (text: string): string => text.replaceAll(/\\([\s\S])/gu, '$1');

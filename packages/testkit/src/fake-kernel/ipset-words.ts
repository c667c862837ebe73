import { usageError } from './ipset-error.ts';

const WORDS_MAX = 31;

/**
 * A restore line cut into words the way ipset does it: quotes group and are dropped, a backslash is a plain character,
 * and a word whose quote is still open at the end of the line is dropped with it.
 */
export function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && /[ \t\r\n]/.test(character)) {
      if (word !== '') words.push(word);
      word = '';
    } else word += character;
    if (words.length > WORDS_MAX) throw usageError('Line is too long to parse.');
  }
  if (word !== '' && !isQuoted) words.push(word);
  return words;
}

/** The flags that ipset takes from any word of a line, quoted or not, and keeps for the rest of the file. */
export interface StickyFlags {
  exist: boolean;
  names: boolean;
  terse: boolean;
}

/** Takes the flags out of a line's words. */
export function takeFlags(words: readonly string[], flags: StickyFlags): readonly string[] {
  return words.filter((word, index) => {
    if (word === '-f' || word === '-file' || word === '-o' || word === '-output') {
      // The next word would be the file that root writes: the fake writes none.
      if (words[index + 1] === undefined) throw usageError(`Missing mandatory argument to option ${word}`);
    }
    if (word === '-exist' || word === '-!') flags.exist = true;
    else if (word === '-n' || word === '-name') flags.names = true;
    else if (word === '-t' || word === '-terse') flags.terse = true;
    else return true;
    return false;
  });
}

const COMMANDS = {
  create: ['create', 'new', '-N'],
  add: ['add', '-A'],
  del: ['del', '-D'],
  test: ['test', '-T'],
  destroy: ['destroy', 'x', '-X'],
  list: ['list', '-L'],
  save: ['save', '-S'],
  restore: ['restore', '-R'],
  flush: ['flush', '-F'],
  rename: ['rename', 'e', '-E'],
  swap: ['swap', 'w', '-W'],
  version: ['version', '-V'],
  help: ['help', '-H'],
} as const;

export type IpsetCommand = keyof typeof COMMANDS;

/** The command that a word names; abbreviations count. */
export function commandNamed(word: string): IpsetCommand | null {
  for (const [command, names] of Object.entries(COMMANDS)) {
    if (names.some((name) => name.startsWith(word))) return command as IpsetCommand;
  }
  return null;
}

/** A word that a POSIX shell reads back as itself: nothing in it is expanded or split. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const PLAIN = /^[A-Za-z0-9_.,:/=@%+-]+$/u;

/** A command line of such words. */
export const shellCommand = (...words: readonly string[]): string => words.map(shellWord).join(' ');

import { fileURLToPath } from 'node:url';

/**
 * The path of a program that gives a set one kernel reference which no save tool shows: a real leak, for tests. Run it
 * inside a test's namespace: `python3 PATH SETNAME`; undo with `nft delete table ip hidden`.
 */
export const hiddenHolderProgram: string = fileURLToPath(new URL('../fixtures/hidden-holder.py', import.meta.url));

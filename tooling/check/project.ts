import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Every text file of the checkout that people wrote: path relative to the root, with `/`, to its content. */
export type Project = ReadonlyMap<string, string>;

/** One thing wrong in one place. `line` counts from 1. */
export interface Fault {
  readonly path: string;
  readonly line?: number;
  readonly message: string;
}

/** A house rule over the text of the project: pure, so that its own test can show that it bites. */
export interface HouseRule {
  readonly name: string;
  /** The sentence a person reads who ran into it. */
  readonly why: string;
  readonly find: (project: Project) => readonly Fault[];
}

const generatedFolders = new Set([
  'node_modules',
  'dist',
  'out',
  'coverage',
  'test-results',
  'playwright-report',
  '.git',
  '.next',
  '.turbo',
  '.setkeeper',
  '.tools',
]);

const fileBytesMax = 2 * 1024 * 1024;

/** Reads the project below `root`, leaving out what is generated, installed, binary or very large. */
export function readProject(root: string): Project {
  const project = new Map<string, string>();
  for (const path of walk(root, '')) {
    const bytes = readFileSync(join(root, path));
    if (bytes.length <= fileBytesMax && !bytes.subarray(0, 8192).includes(0)) project.set(path, bytes.toString('utf8'));
  }
  return project;
}

/** The lines of a text with their numbers, counted from 1. */
export function* numberedLines(text: string): Generator<readonly [line: number, text: string]> {
  let line = 0;
  for (const content of text.split('\n')) yield [++line, content];
}

function* walk(root: string, folder: string): Generator<string> {
  const entries: Dirent[] = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !generatedFolders.has(entry.name)) yield* walk(root, path);
    else if (entry.isFile()) yield path;
  }
}

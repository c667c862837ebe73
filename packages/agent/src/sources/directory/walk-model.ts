import type { BigIntStats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileSignature, NO_SIGNATURE, signatureOf } from './file-signature.ts';
import { isInside } from './inside.ts';
import { isDocumentPath } from './parsed-file.ts';

/** One document file as the walk found it. `refused`: why it is not to be read at all. */
export interface WalkedFile {
  readonly path: string;
  readonly signature: FileSignature;
  readonly bytes: number;
  readonly refused?: string;
}

/** A directory by its real path; `identity` differs when another one took its place. */
export interface WalkedDirectory {
  readonly path: string;
  readonly identity: string;
}

/** A model directory as it is now: every document file with its signature, sorted by path. Or why it cannot be said. */
export type Walk =
  | {
      readonly ok: true;
      readonly realRoot: string;
      /** Changes when the root or a `..data` link was switched to another directory: a whole new generation at once. */
      readonly switchedTo: string;
      readonly files: ReadonlyMap<string, WalkedFile>;
      /** The newest change of a file or directory, in milliseconds since 1970. */
      readonly changedAt: number;
      /** The directories, to be watched. */
      readonly directories: readonly WalkedDirectory[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Lists the document files below `root`. Hidden entries (`.git`, `..data`, editors' files) are left out; a symbolic link
 * is followed if it stays inside. If any directory cannot be listed the whole walk is not ok: half a listing would read
 * as deletion. One lstat a document file.
 */
export async function walkModel(root: string): Promise<Walk> {
  try {
    const realRoot = await realpath(root);
    const files: WalkedFile[] = [];
    const directories: WalkedDirectory[] = [];
    const state: WalkState = { realRoot, files, directories, seen: new Set(), changedAt: 0 };
    await walkInto(state, realRoot, '', 0);
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const data = await readlink(join(realRoot, '..data')).catch(() => '');
    return {
      ok: true,
      realRoot,
      switchedTo: `${realRoot} ${data}`,
      files: new Map(files.map((file) => [file.path, file])),
      directories,
      changedAt: state.changedAt,
    };
  } catch (error) {
    return { ok: false, reason: walkFault(root, error) };
  }
}

/** What a list file is now, in the form that reading it gives. */
export async function listSignature(realRoot: string, path: string): Promise<FileSignature> {
  try {
    const real = await realpath(join(realRoot, path));
    const stats = await stat(real, { bigint: true });
    return isInside(realRoot, real) && stats.isFile() ? signatureOf(real, stats) : NO_SIGNATURE;
  } catch {
    return NO_SIGNATURE;
  }
}

const DIRECTORY_DEPTH_MAX = 32;
const STATS_AT_ONCE = 32;

interface WalkState {
  readonly realRoot: string;
  readonly files: WalkedFile[];
  readonly directories: WalkedDirectory[];
  readonly seen: Set<string>;
  changedAt: number;
}

async function walkInto(state: WalkState, realDirectory: string, prefix: string, depth: number): Promise<void> {
  if (state.seen.has(realDirectory)) return;
  state.seen.add(realDirectory);
  if (depth > DIRECTORY_DEPTH_MAX)
    throw new Error(`has more than ${DIRECTORY_DEPTH_MAX} directories inside one another`);
  const { ino, birthtimeNs, ctimeMs } = await stat(realDirectory, { bigint: true });
  state.changedAt = Math.max(state.changedAt, Number(ctimeMs));
  state.directories.push({ path: realDirectory, identity: `${realDirectory} ${ino} ${birthtimeNs}` });
  const entries = (await readdir(realDirectory, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'));
  for (let at = 0; at < entries.length; at += STATS_AT_ONCE) {
    const some = entries.slice(at, at + STATS_AT_ONCE);
    const below = await Promise.all(
      some.map((entry) => visit(state, join(realDirectory, entry.name), `${prefix}${entry.name}`, entry.isDirectory())),
    );
    for (const directory of below) {
      if (directory !== null) await walkInto(state, directory.real, `${directory.path}/`, depth + 1);
    }
  }
}

/** Looks at one entry: notes a document, or gives back a directory to walk into. */
async function visit(
  state: WalkState,
  full: string,
  path: string,
  isDirectory: boolean,
): Promise<{ readonly real: string; readonly path: string } | null> {
  if (isDirectory) return { real: full, path };
  const stats = await lstat(full, { bigint: true }).catch(ignoreVanished);
  if (stats === null) return null;
  if (stats.isSymbolicLink()) return followLink(state, full, path);
  if (isDocumentPath(path)) note(state, path, full, stats);
  return null;
}

async function followLink(
  state: WalkState,
  full: string,
  path: string,
): Promise<{ readonly real: string; readonly path: string } | null> {
  const refuse = (refused: string): null => {
    if (isDocumentPath(path)) {
      state.files.push({ path, signature: `refused ${refused}` as FileSignature, bytes: 0, refused });
    }
    return null;
  };
  const real = await realpath(full).catch(() => null);
  if (real === null) return refuse('is a symbolic link to nothing');
  if (!isInside(state.realRoot, real)) return refuse('leaves the model directory by a symbolic link');
  const stats = await stat(real, { bigint: true }).catch(ignoreVanished);
  if (stats === null) return refuse('is a symbolic link to nothing');
  if (stats.isDirectory()) return { real, path };
  if (isDocumentPath(path)) note(state, path, real, stats);
  return null;
}

function note(state: WalkState, path: string, real: string, stats: BigIntStats): void {
  state.changedAt = Math.max(state.changedAt, Number(stats.ctimeMs));
  const file = { path, signature: signatureOf(real, stats), bytes: Number(stats.size) };
  state.files.push(stats.isFile() ? file : { ...file, refused: 'is no regular file' });
}

/** An entry that went between listing and looking is simply not there; another fault is one of the walk. */
function ignoreVanished(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

function walkFault(root: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  const path = 'path' in error ? String(error.path) : root;
  switch (code) {
    case 'ENOENT':
      return `${path} is not there`;
    case 'ENOTDIR':
      return `${path} is no directory`;
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be read by the agent`;
    default:
      return code === '' ? `${root} ${error.message}` : `${path} cannot be listed (${code})`;
  }
}

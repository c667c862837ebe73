import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The git work tree around a directory: the commit it stands at, and whether git is changing it right now. */
export interface GitState {
  readonly commit: string | null;
  /** When `index.lock` was made, in milliseconds since 1970; null while git is not at work. */
  readonly lockedSince: number | null;
}

/** Reads git's own files above `directory`, without starting git. Null outside a work tree. A few small reads. */
export async function gitState(directory: string): Promise<GitState | null> {
  for (let at = directory; ; at = dirname(at)) {
    const git = await gitFolder(at);
    if (git !== null) {
      const lockedSince = await madeAt(join(git, 'index.lock'));
      return { lockedSince, commit: await commitOf(git) };
    }
    if (dirname(at) === at) return null;
  }
}

/** The folder with HEAD: `.git`, or what a `.git` file of a work tree or submodule points to. */
async function gitFolder(directory: string): Promise<string | null> {
  const path = join(directory, '.git');
  const stats = await stat(path).catch(() => null);
  if (stats === null) return null;
  if (stats.isDirectory()) return path;
  const pointer = /^gitdir: (.+)$/mu.exec(await readSmall(path));
  return pointer?.[1] === undefined ? null : resolve(directory, pointer[1]);
}

async function commitOf(git: string): Promise<string | null> {
  const head = (await readSmall(join(git, 'HEAD'))).trim();
  if (COMMIT.test(head)) return head;
  const ref = /^ref: (refs\/\S+)$/u.exec(head)?.[1];
  if (ref === undefined || ref.split('/').includes('..')) return null;
  const shared = (await readSmall(join(git, 'commondir'))).trim();
  for (const folder of shared === '' ? [git] : [git, resolve(git, shared)]) {
    const loose = (await readSmall(join(folder, ref))).trim();
    if (COMMIT.test(loose)) return loose;
    const packed = await readSmall(join(folder, 'packed-refs'), 16 * 1024 * 1024);
    const line = packed.split('\n').find((each) => each.endsWith(` ${ref}`));
    const commit = line?.slice(0, line.indexOf(' ')) ?? '';
    if (COMMIT.test(commit)) return commit;
  }
  return null;
}

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/u;

async function readSmall(path: string, bytesMax = 4096): Promise<string> {
  const stats = await stat(path).catch(() => null);
  if (stats === null || !stats.isFile() || stats.size > bytesMax) return '';
  return readFile(path, 'utf8').catch(() => '');
}

const madeAt = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.mtimeMs ?? null;

import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Launcher } from '../launcher/launcher-client.ts';

/** The network namespace that the launcher's children live in. */
export interface NamespaceName {
  /** Its name in `/run/netns`, `host` for the one of process 1, else `net:[INODE]`. */
  readonly name: string;
  readonly inode: number | null;
}

const NAMED = '/run/netns';

/** The inode of the first network namespace since Linux 6.18 (`NET_NS_INIT_INO` of linux/nsfs.h), and of none before. */
const FIRST_INODE = 0xefff_fff9;

/** Asks a child of the launcher, which may live in another namespace than the agent (ip-netns(8): a name is a mount of the namespace's inode). */
export async function readNamespace(launcher: Launcher): Promise<NamespaceName> {
  const inode = await childInode(launcher);
  if (inode === null) return { name: 'unknown', inode };
  if (inode === ((await hostInode()) ?? FIRST_INODE)) return { name: 'host', inode };
  return { name: (await nameOf(inode)) ?? `net:[${inode}]`, inode };
}

async function childInode(launcher: Launcher): Promise<number | null> {
  const tool = await launcher.which('readlink');
  if (tool === null) return null;
  const { stdout } = await launcher.run({ file: tool, args: ['/proc/self/ns/net'], timeoutSeconds: 5 });
  return inodeIn(Buffer.from(stdout).toString('latin1'));
}

async function hostInode(): Promise<number | null> {
  try {
    return inodeIn(await readlink('/proc/1/ns/net'));
  } catch {
    // Another user's process: not ours to see.
    return null;
  }
}

async function nameOf(inode: number): Promise<string | null> {
  try {
    for (const name of await readdir(NAMED)) {
      if ((await stat(join(NAMED, name))).ino === inode) return name;
    }
  } catch {
    // No named namespaces, or one that went while we looked: the inode is name enough.
  }
  return null;
}

function inodeIn(link: string): number | null {
  const [, digits] = /^net:\[([0-9]+)\]/.exec(link) ?? [];
  return digits === undefined ? null : Number(digits);
}

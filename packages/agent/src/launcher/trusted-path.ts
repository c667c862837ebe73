import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const FOLDERS = ['/usr/sbin', '/usr/bin', '/sbin', '/bin', '/usr/local/sbin', '/usr/local/bin'];

/**
 * The absolute path of a tool, or null. Only a file that nobody but root can replace is one: it, its target if it is a
 * link, and every folder above belong to root and are writable by root alone (or are sticky, where others cannot
 * replace root's files). `PATH` is not asked. A link keeps its own name, because xtables tools go by it.
 */
export async function trustedPath(tool: string): Promise<string | null> {
  const candidates = tool.startsWith('/')
    ? [tool]
    : tool.includes('/')
      ? []
      : FOLDERS.map((folder) => join(folder, tool));
  for (const path of candidates) {
    if (await isTrusted(path)) return path;
  }
  return null;
}

async function isTrusted(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    const target = await realpath(path);
    const facts = await stat(target);
    if (!facts.isFile() || facts.uid !== 0 || (facts.mode & 0o022) !== 0) return false;
    return (await hasTrustedFolders(path)) && (target === path || (await hasTrustedFolders(target)));
  } catch {
    // Not there, or not ours to look at: no tool either way.
    return false;
  }
}

async function hasTrustedFolders(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const facts = await stat(folder);
    const isSticky = (facts.mode & 0o1000) !== 0;
    if (facts.uid !== 0 || ((facts.mode & 0o022) !== 0 && !isSticky)) return false;
    if (folder === dirname(folder)) return true;
  }
}

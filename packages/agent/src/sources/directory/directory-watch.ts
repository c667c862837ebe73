import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { WalkedDirectory } from './walk-model.ts';

/** Tells when something below a model directory may have changed. A hint only: whoever is told looks for himself. */
export interface DirectoryWatch {
  /** Watches exactly these directories from now on, and the name of `root` in its parent (a switched link). */
  watch(root: string, directories: readonly WalkedDirectory[]): void;
  /** Why not everything is watched, or null. */
  readonly trouble: string | null;
  close(): void;
}

/**
 * One inotify watch a directory (not a file). `onHint` is called for every entry that can be part of a model: hidden
 * entries other than `..data` are not.
 */
export function createDirectoryWatch(onHint: () => void): DirectoryWatch {
  const watchers = new Map<string, FSWatcher>();
  let trouble: string | null = null;

  const add = ({ path, identity }: WalkedDirectory, isRelevant: (name: string) => boolean) => {
    if (watchers.has(identity)) return;
    try {
      const watcher = watch(path, { persistent: false }, (_event, name) => {
        if (name === null || isRelevant(name)) onHint();
      });
      watcher.on('error', () => {
        watchers.delete(identity);
        watcher.close();
        onHint();
      });
      watchers.set(identity, watcher);
    } catch (error) {
      trouble = `${path} cannot be watched (${error instanceof Error && 'code' in error ? error.code : error}); it is looked at again and again instead`;
    }
  };

  return {
    watch(root, directories) {
      trouble = null;
      const parent = { path: dirname(root), identity: `parent of ${root}` };
      const wanted = new Set([parent, ...directories].map(({ identity }) => identity));
      for (const [identity, watcher] of watchers) {
        if (wanted.has(identity)) continue;
        watcher.close();
        watchers.delete(identity);
      }
      add(parent, (name) => name === basename(root));
      for (const directory of directories) add(directory, (name) => !name.startsWith('.') || name === '..data');
    },
    get trouble() {
      return trouble;
    },
    close() {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

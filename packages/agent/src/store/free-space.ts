import { statfsSync } from 'node:fs';

/** The room on the disk of a folder. */
export interface FreeSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Reads it (statfs(2)); null where it cannot be read, which is never taken for "full". */
export function readFreeSpace(folder: string): FreeSpace | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

/** Room that history leaves for the audit and for operators' facts: 32 MiB, or a twentieth of a small disk. */
export function isShort({ freeBytes, totalBytes }: FreeSpace): boolean {
  return freeBytes < Math.min(32 * 1024 * 1024, totalBytes / 20);
}

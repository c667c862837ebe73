import type { BigIntStats } from 'node:fs';

/**
 * What tells one content of a file from the next without reading it: where it really is, its inode, size and times.
 * Change time is part of it, so that a file set back to its old size and date is still a new one.
 */
export type FileSignature = string & { readonly __brand: 'FileSignature' };

export const signatureOf = (realPath: string, stats: BigIntStats): FileSignature =>
  `${realPath} ${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}` as FileSignature;

/** A file that is not there, or not one to be read. */
export const NO_SIGNATURE = 'none' as FileSignature;

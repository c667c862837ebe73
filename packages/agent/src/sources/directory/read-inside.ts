import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type FileSignature, signatureOf } from './file-signature.ts';
import { isInside } from './inside.ts';

/** The text of a file of a model directory, with the signature of exactly what was read; or why it is refused. */
export type ReadInside =
  | { readonly ok: true; readonly text: string; readonly signature: FileSignature }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a regular file inside `realRoot` as UTF-8. Never leaves the directory by a symlink, never waits on a pipe or
 * device, never reads more than `bytesMax`. Synchronous: for workers and command lines.
 */
export function readInside(realRoot: string, path: string, bytesMax: number): ReadInside {
  try {
    const real = realpathSync(join(realRoot, path));
    if (!isInside(realRoot, real)) return { ok: false, reason: 'leaves the model directory by a symbolic link' };
    return readRegular(real, bytesMax);
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

function readRegular(real: string, bytesMax: number): ReadInside {
  const file = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY);
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return { ok: false, reason: 'is no regular file' };
    if (stats.size > bytesMax) return { ok: false, reason: `is larger than ${Math.floor(bytesMax / 1_048_576)} MiB` };
    const bytes = readAll(file, Number(stats.size), bytesMax);
    if (bytes === null) return { ok: false, reason: `is larger than ${Math.floor(bytesMax / 1_048_576)} MiB` };
    return {
      ok: true,
      text: new TextDecoder('utf-8', { fatal: true }).decode(bytes),
      signature: signatureOf(real, stats),
    };
  } finally {
    closeSync(file);
  }
}

/** The whole content, or null if it grew beyond the limit while it was read. */
function readAll(file: number, sizeNow: number, bytesMax: number): Uint8Array | null {
  let buffer = new Uint8Array(Math.max(sizeNow + 1, 4096));
  let length = 0;
  for (;;) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > bytesMax) return null;
    if (length < buffer.length) continue;
    const larger = new Uint8Array(buffer.length * 2);
    larger.set(buffer);
    buffer = larger;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'is not UTF-8 text';
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  switch (code) {
    case 'ENOENT':
      return 'is not there';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read by the agent';
    case 'ELOOP':
      return 'is a loop of symbolic links';
    case 'ENXIO':
      return 'is no regular file';
    case 'EISDIR':
      return 'is a directory';
    default:
      return `cannot be read (${code})`;
  }
}

/**
 * Why the store could not do what it was asked.
 * `newer`: written by a later version, left as it is. `in-use`: another agent has it. `disk-full`: no room (or no more
 * allowed). `corrupt`: not a database any more. `unavailable`: anything else the file system said.
 */
export type StoreFaultCode = 'newer' | 'in-use' | 'disk-full' | 'corrupt' | 'unavailable';

/** A fault of the world at the store: thrown, caught at the edge of a loop or a request. */
export class StoreFault extends Error {
  readonly code: StoreFaultCode;
  readonly path: string;

  constructor(code: StoreFaultCode, path: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'StoreFault';
    this.code = code;
    this.path = path;
  }
}

/** SQLite's primary result codes (sqlite.org/rescode.html) that mean something to us. */
const SQLITE_BUSY = 5;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Whether SQLite says that the file is no sound database. */
export const isCorruption = (error: unknown): boolean => {
  const code = primaryCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
};

/** Whether it may be for want of room: what a full disk does to the index beside a file is told as an I/O error. */
export const isOutOfRoom = (error: unknown): boolean => {
  const code = primaryCode(error);
  return code === SQLITE_FULL || code === SQLITE_IOERR;
};

/** Turns what node:sqlite threw into a StoreFault; anything that is not SQLite's (a bug) is given back as it is. */
export function asStoreFault(error: unknown, path: string): unknown {
  const code = primaryCode(error);
  if (code === null || error instanceof StoreFault) return error;
  const words = error instanceof Error ? error.message : String(error);
  if (code === SQLITE_FULL)
    return new StoreFault('disk-full', path, `The disk of ${path} takes no more: ${words}.`, error);
  if (isCorruption(error)) return new StoreFault('corrupt', path, `${path} is damaged: ${words}.`, error);
  if (code === SQLITE_BUSY) return new StoreFault('in-use', path, `${path} is locked by another program.`, error);
  return new StoreFault('unavailable', path, `${path} cannot be used: ${words}.`, error);
}

function primaryCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

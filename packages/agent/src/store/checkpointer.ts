import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../clock.ts';

/** Brings what is in a database's log into the database, in a thread of its own: it waits for the disk, and nobody for it. */
export interface Checkpointer {
  /** Starts one if a log has grown large since the last one and none is under way. Costs a stat(2) a file. */
  look(): void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

/** A log from this size on is worth the work. SQLite would do it at 4 MiB inside a commit, and block the event loop for up to 100 ms. */
const LOG_BYTES_MIN = 8 * 1024 * 1024;
/**
 * A log keeps its size when it was brought in, and is written again from its beginning: whether it was written to shows in
 * its time, how much does not. So one that only was written to is looked after so often, one that grew at once.
 */
const WRITTEN_LOG_MS = 60_000;

/**
 * From this size on a log is made to begin anew: while somebody writes without a pause, what was written meanwhile is never
 * in the database, so that the log would grow for ever.
 */
const LOG_BYTES_MAX = 32 * 1024 * 1024;
const WRITER_WAIT_MS = 50;

/**
 * PASSIVE waits for nobody and blocks no writer. RESTART keeps writers out while it brings in what PASSIVE, the moment
 * before, left over; it gives up where it would have to wait longer (sqlite.org/wal.html, section 3.2).
 */
const PROGRAM = `
  const { workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData.path, { timeout: ${WRITER_WAIT_MS} });
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
    if (workerData.isTooLarge) database.exec('PRAGMA wal_checkpoint(PASSIVE); PRAGMA wal_checkpoint(RESTART)');
  } finally {
    database.close();
  }
`;

export function createCheckpointer(
  paths: readonly string[],
  clock: Pick<Clock, 'monotonic'>,
  onFault: (error: unknown) => void,
): Checkpointer {
  let running: Promise<void> | null = null;
  const brought = new Map<string, Log & { readonly at: number }>();

  const isDue = (path: string): boolean => {
    const log = logOf(path);
    if (log.bytes < LOG_BYTES_MIN) return false;
    const before = brought.get(path);
    if (before !== undefined && log.bytes < before.bytes + LOG_BYTES_MIN) {
      if (log.writtenMs === before.writtenMs || clock.monotonic() - before.at < WRITTEN_LOG_MS) return false;
    }
    brought.set(path, { ...log, at: clock.monotonic() });
    return true;
  };

  const checkpoint = (path: string): Promise<void> =>
    new Promise((resolve) => {
      const isTooLarge = logOf(path).bytes >= LOG_BYTES_MAX;
      // It begins anew and is cut: what it was says nothing about what it will be.
      if (isTooLarge) brought.delete(path);
      const worker = new Worker(PROGRAM, { eval: true, workerData: { path, isTooLarge } });
      worker.once('error', onFault);
      worker.once('exit', () => resolve());
    });

  return {
    look: () => {
      if (running !== null) return;
      const large = paths.filter(isDue);
      if (large.length === 0) return;
      running = large
        .reduce((before, path) => before.then(() => checkpoint(path)), Promise.resolve())
        .finally(() => {
          running = null;
        });
    },
    idle: () => running ?? Promise.resolve(),
  };
}

interface Log {
  readonly bytes: number;
  readonly writtenMs: number;
}

function logOf(path: string): Log {
  const found = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return { bytes: found?.size ?? 0, writtenMs: found?.mtimeMs ?? 0 };
}

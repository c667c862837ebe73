import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Brings what is in a database's log into the database, in a thread of its own: it waits for the disk, and nobody for it. */
export interface Checkpointer {
  /** Starts one if a log has grown large and none is under way. Costs a stat(2) a file. */
  look(): void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
}

/** A log from this size on is worth the work. SQLite would do it at 4 MiB inside a commit, and block the event loop for up to 100 ms. */
const LOG_BYTES_MIN = 8 * 1024 * 1024;

/** PASSIVE waits for nobody and blocks no writer (sqlite.org/wal.html, section 3.2). */
const PROGRAM = `
  const { workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData, { timeout: 0 });
  try {
    database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } finally {
    database.close();
  }
`;

export function createCheckpointer(paths: readonly string[], onFault: (error: unknown) => void): Checkpointer {
  let running: Promise<void> | null = null;

  const checkpoint = (path: string): Promise<void> =>
    new Promise((resolve) => {
      const worker = new Worker(PROGRAM, { eval: true, workerData: path });
      worker.once('error', onFault);
      worker.once('exit', () => resolve());
    });

  return {
    look: () => {
      if (running !== null) return;
      const large = paths.filter((path) => logBytes(path) >= LOG_BYTES_MIN);
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

const logBytes = (path: string): number => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

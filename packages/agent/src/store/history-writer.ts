import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { StoreFault } from './store-fault.ts';

/** Writes history behind the back of programming: queued, many in one transaction, a few milliseconds at a time. */
export interface HistoryWriter {
  /** Queues one small write (at most some hundred rows). Never throws; dropped while history is paused. `onWritten` follows the commit. */
  write(work: (database: Database) => void, onWritten?: () => void): void;
  /** Resolves when no more than a few writes are queued: at once, where history is paused. */
  room(): Promise<void>;
  /** Writes what is queued, now, for a reader that wants to see it: all of it, or as much as `flushMsMax` allows. */
  flush(): void;
  /** Stops writing: what is queued and what comes is dropped, so that the last room on the disk is for more important things. */
  pause(why: string): void;
  /** Tries to go on. */
  resume(): void;
  readonly isPaused: boolean;
  close(): void;
}

export interface HistoryWriterParameters {
  readonly database: Database;
  readonly clock: Clock;
  /** The longest that a reader waits for what is queued before it. Default: as long as it takes. */
  readonly flushMsMax?: number;
  readonly onPaused: (why: string) => void;
  /** A write that can never succeed: a bug. It is dropped, what follows it is written. */
  readonly onBug: (error: unknown) => void;
}

interface QueuedWrite {
  readonly work: (database: Database) => void;
  readonly onWritten: (() => void) | undefined;
}

/** Named limits: how long one transaction may hold the event loop, how long a write may wait, and how much may wait. */
const SLICE_MS_MAX = 4;
const WAIT_MS = 25;
const QUEUE_MAX = 50_000;
/** So much may be queued while somebody with very many rows goes on. */
const ROOM_MIN = 20;
/** The longest that the end of the agent waits for what is queued. */
const CLOSE_MS_MAX = 5_000;

export function createHistoryWriter(parameters: HistoryWriterParameters): HistoryWriter {
  const { database, clock, onPaused, onBug, flushMsMax = Number.POSITIVE_INFINITY } = parameters;
  let queue: QueuedWrite[] = [];
  let paused = false;
  let cancelTimer: (() => void) | null = null;
  const waiting: (() => void)[] = [];

  const tellRoom = (): void => {
    if (queue.length > ROOM_MIN) return;
    for (const resolve of waiting.splice(0)) resolve();
  };

  const pause = (why: string): void => {
    queue = [];
    tellRoom();
    if (paused) return;
    paused = true;
    onPaused(why);
  };

  /** One transaction of at most `budgetMs`; what it took is dropped from the queue only when it is committed. */
  const writeSlice = (budgetMs: number): void => {
    const end = clock.monotonic() + budgetMs;
    let done = 0;
    try {
      database.transaction(() => {
        for (const { work } of queue) {
          work(database);
          done += 1;
          if (clock.monotonic() >= end) break;
        }
      });
      const written = queue.slice(0, done);
      queue = queue.slice(done);
      for (const { onWritten } of written) onWritten?.();
    } catch (error) {
      if (error instanceof StoreFault) pause(error.message);
      else {
        // The transaction is undone: the good ones before it are written again, without it.
        queue.splice(done, 1);
        onBug(error);
      }
    }
    tellRoom();
  };

  const schedule = (ms: number): void => {
    if (cancelTimer !== null || queue.length === 0) return;
    cancelTimer = clock.after(ms, () => {
      cancelTimer = null;
      writeSlice(SLICE_MS_MAX);
      schedule(0);
    });
  };

  const flush = (msMax: number): void => {
    const end = clock.monotonic() + msMax;
    while (queue.length > 0 && clock.monotonic() <= end) writeSlice(end - clock.monotonic());
  };

  return {
    write: (work, onWritten) => {
      if (paused) return;
      if (queue.length >= QUEUE_MAX) writeSlice(SLICE_MS_MAX);
      queue.push({ work, onWritten });
      schedule(WAIT_MS);
    },
    room: () => {
      if (queue.length <= ROOM_MIN) return Promise.resolve();
      return new Promise((resolve) => waiting.push(resolve));
    },
    flush: () => flush(flushMsMax),
    pause,
    resume: () => {
      if (!paused) return;
      try {
        // A write that takes room, so that "there is room" is proved and not guessed.
        database.transaction(() => database.exec('CREATE TABLE room (x INTEGER) STRICT; DROP TABLE room'));
      } catch (error) {
        if (error instanceof StoreFault) return;
        throw error;
      }
      paused = false;
    },
    get isPaused() {
      return paused;
    },
    close: () => {
      cancelTimer?.();
      cancelTimer = null;
      flush(CLOSE_MS_MAX);
    },
  };
}

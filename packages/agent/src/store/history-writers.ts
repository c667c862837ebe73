import type { Clock } from '../clock.ts';
import type { Database } from './database.ts';
import { createHistoryWriter, type HistoryWriter } from './history-writer.ts';
import type { StoreWatcher } from './open-store.ts';

/** The two lines of writes that one history has. They pause and resume together. */
export interface HistoryWriters {
  /** Runs: readers wait for what is queued, since an operator looks at the run that just ended. */
  readonly runs: HistoryWriter;
  /** Changes of the model, a million at once at worst: readers wait a moment and then take what is there. */
  readonly changes: HistoryWriter;
  readonly isPaused: boolean;
  pause(why: string): void;
  resume(): void;
  close(): void;
}

const CHANGES_FLUSH_MS_MAX = 20;

export function createHistoryWriters(
  database: Database,
  clock: Clock,
  watcher: Pick<StoreWatcher, 'onHistory' | 'onBug'>,
): HistoryWriters {
  let isPaused = false;
  const pause = (why: string): void => {
    if (isPaused) return;
    isPaused = true;
    for (const writer of writers) writer.pause(why);
    watcher.onHistory(why);
  };
  const shared = { database, clock, onPaused: pause, onBug: (error: unknown) => watcher.onBug(error) };
  const runs = createHistoryWriter(shared);
  const changes = createHistoryWriter({ ...shared, flushMsMax: CHANGES_FLUSH_MS_MAX });
  const writers = [runs, changes];
  return {
    runs,
    changes,
    get isPaused() {
      return isPaused;
    },
    pause,
    resume: () => {
      if (!isPaused) return;
      for (const writer of writers) writer.resume();
      if (writers.some((writer) => writer.isPaused)) return;
      isPaused = false;
      watcher.onHistory(null);
    },
    close: () => {
      for (const writer of writers) writer.close();
    },
  };
}

import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import { createAgeClock } from './age-clock.ts';
import { createAuditRepository } from './audit-repository.ts';
import { createChangeRepository } from './change-repository.ts';
import { createCheckpointer } from './checkpointer.ts';
import { type Database, openDatabase } from './database.ts';
import { createDriftRepository } from './drift-repository.ts';
import { createFactRepository } from './fact-repository.ts';
import { type FreeSpace, isShort, readFreeSpace } from './free-space.ts';
import { historyMigrations } from './history-migrations.ts';
import { createHistoryWriters } from './history-writers.ts';
import { createLastGoodRepository } from './last-good-repository.ts';
import { type Migration, migrate, refuseNewer } from './migrate.ts';
import { createHistoryCutter, type HistoryLimits } from './retention.ts';
import { createRunRepository } from './run-repository.ts';
import { createScriptArchive } from './script-archive.ts';
import { findDamage, type SetAside, setAside } from './set-aside.ts';
import type { Store } from './store.ts';
import { StoreFault } from './store-fault.ts';
import { lockStore } from './store-lock.ts';
import { storeMigrations, storeTables } from './store-migrations.ts';

/** What the store tells the rest of the agent while it works. */
export interface StoreWatcher {
  /** A damaged file was moved away at this start. */
  onSetAside(what: 'store' | 'history', aside: SetAside): void;
  /** History is no longer written (`why`), or again (null). */
  onHistory(why: string | null): void;
  /** The audit waits in memory, or is written again (null). */
  onAudit(why: string | null): void;
  /** Facts or last good content wait in memory, or are written again (null). */
  onFacts(why: string | null): void;
  /** A bug; the store goes on. */
  onBug(error: unknown): void;
}

export interface StoreParameters {
  /** `store:` of agent.yaml. The history lies beside it, `agent.db` -> `agent.history.db`. */
  readonly path: string;
  readonly clock: Clock;
  readonly history: HistoryLimits;
  readonly watcher: StoreWatcher;
  readonly freeSpace?: (folder: string) => FreeSpace | null;
}

/** Named limits of the audit, and how often the store looks after itself. */
const AUDIT_DAYS_MAX = 400;
const AUDIT_BYTES_MAX = 128 * 1024 * 1024;
const AUDIT_LINES_A_CUT = 500;
const MAINTENANCE_MS = 5_000;
const MAINTENANCE_MORE_MS = 100;
/**
 * How often the logs are looked after. The commit behind a checkpoint cuts the log and waits for the disk once: 60 to 110
 * ms of the event loop for the 200 MB that five seconds of 10,000 changes a second leave, 10 to 30 for half a second's.
 */
const LOGS_MS = 500;
const DAY_MS = 86_400_000;

const SET_ASIDE = 'store-set-aside';

/**
 * Opens the embedded store. Throws a StoreFault, with a sentence, for one that is newer, in use or cannot be opened;
 * a damaged one is set aside and a new one begun.
 */
export function openStore(parameters: StoreParameters): Store {
  const { path, clock, watcher } = parameters;
  const historyPath = historyPathOf(path);
  const folder = dirname(path);
  makeFolder(folder);
  const lock = lockStore(path);
  const stamp = new Date(clock.now()).toISOString();
  const open = (file: string, options: OpenOptions): Opened => openSound(file, stamp, options);

  let main: Opened;
  let side: Opened;
  try {
    main = open(path, { migrations: storeMigrations, tables: storeTables });
    side = open(historyPath, { migrations: historyMigrations, tables: [] });
  } catch (error) {
    lock.release();
    throw error;
  }
  const database = main.database;
  const history = side.database;

  const writers = createHistoryWriters(history, clock, watcher);
  const scripts = createScriptArchive(history, writers.runs);
  const waiting = { facts: false, audit: false };
  const facts = createFactRepository(database, (fault) => {
    waiting.facts = true;
    watcher.onFacts(fault.message);
  });
  const audit = createAuditRepository(database, clock, (fault) => {
    waiting.audit = true;
    watcher.onAudit(fault.message);
  });
  let isSetAside = facts.list(SET_ASIDE).length > 0;

  if (main.aside !== null) {
    isSetAside = true;
    facts.put(SET_ASIDE, 'store', { at: stamp, ...main.aside });
    watcher.onSetAside('store', main.aside);
  }
  if (side.aside !== null) watcher.onSetAside('history', side.aside);

  const cutter = createHistoryCutter(history, parameters.history);
  const ages = createAgeClock(clock);
  const checkpointer = createCheckpointer([path, historyPath], clock, (error) => watcher.onBug(error));
  const readSpace = parameters.freeSpace ?? readFreeSpace;
  let cancelMaintenance: () => void = () => {};
  const maintain = (): void => {
    let isMore = false;
    try {
      const space = readSpace(folder);
      if (space !== null && isShort(space)) writers.pause(`${folder} has ${mebibytes(space.freeBytes)} MiB left.`);
      else writers.resume();
      if (waiting.facts && facts.writeWaiting()) {
        waiting.facts = false;
        watcher.onFacts(null);
      }
      if (waiting.audit && audit.writeWaiting()) {
        waiting.audit = false;
        watcher.onAudit(null);
      }
      const aged = ages.time();
      isMore = audit.cut({
        oldest: aged - AUDIT_DAYS_MAX * DAY_MS,
        bytesMax: AUDIT_BYTES_MAX,
        linesMax: AUDIT_LINES_A_CUT,
      });
      if (!writers.isPaused) isMore = cutter.cut(clock.now(), aged) || isMore;
    } catch (error) {
      watcher.onBug(error);
    }
    cancelMaintenance = clock.after(isMore ? MAINTENANCE_MORE_MS : MAINTENANCE_MS, maintain);
  };
  cancelMaintenance = clock.after(MAINTENANCE_MORE_MS, maintain);
  let cancelLogs: () => void = () => {};
  const lookAfterLogs = (): void => {
    cancelLogs = clock.after(LOGS_MS, lookAfterLogs);
    try {
      checkpointer.look();
    } catch (error) {
      watcher.onBug(error);
    }
  };
  lookAfterLogs();

  return {
    lastGood: createLastGoodRepository(database),
    facts,
    runs: createRunRepository(history, writers.runs, scripts),
    changes: createChangeRepository(history, writers.changes),
    drift: createDriftRepository(history, writers.changes),
    audit,
    get wasSetAside() {
      return isSetAside;
    },
    acknowledgeSetAside: () => {
      isSetAside = false;
      facts.delete(SET_ASIDE, 'store');
    },
    close: async () => {
      cancelMaintenance();
      cancelLogs();
      await scripts.idle();
      await checkpointer.idle();
      writers.close();
      facts.writeWaiting();
      audit.writeWaiting();
      history.close();
      database.close();
      lock.release();
    },
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o750 });
  } catch (error) {
    throw new StoreFault('unavailable', folder, `The store's folder ${folder} cannot be made.`, error);
  }
}

/** Where the history of a store lies. */
export const historyPathOf = (path: string): string => `${path.replace(/\.db$/u, '')}.history.db`;

interface OpenOptions {
  readonly migrations: readonly Migration[];
  readonly tables: readonly string[];
}
interface Opened {
  readonly database: Database;
  readonly aside: SetAside | null;
}

function openSound(path: string, stamp: string, options: OpenOptions): Opened {
  refuseNewer(path, options.migrations);
  const damage = findDamage(path, options.tables);
  const aside = damage === null ? null : setAside(path, stamp, damage);
  if (!existsSync(path)) create(path, options);
  const database = openDatabase(path);
  try {
    migrate(database, options.migrations);
  } catch (error) {
    database.close();
    throw error;
  }
  return { database, aside };
}

/** Makes a new file whole under another name first: a crash in between never leaves an empty store, which would look damaged. */
function create(path: string, { migrations }: OpenOptions): void {
  const fresh = `${path}.new`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${fresh}${suffix}`, { force: true });
  closeSync(openSync(fresh, 'a', 0o600));
  const database = openDatabase(fresh);
  try {
    // Set before the first page is written; what is cut can then give its room back (retention).
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
    migrate(database, migrations);
  } finally {
    database.close();
  }
  renameSync(fresh, path);
}

const mebibytes = (bytes: number): number => Math.floor(bytes / (1024 * 1024));

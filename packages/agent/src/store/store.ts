import type { AuditEntry, Change, DriftEntry, Run } from '@setkeeper/api';
import type { ObjectKey, ObjectRecord } from '../model/objects.ts';
import type { Exception } from '../restore/execution.ts';
import type { ExceptionRange } from './exception-ranges.ts';

/** The last good content of every object of every source (invariant 2). */
export interface LastGoodRepository {
  /** Every record of a source in the order of keys, read as it is walked: a million are never in memory at once, and others may run in between. */
  load(source: string): Iterable<ObjectRecord>;
  /** One transaction, quickest in the order of keys. `along` may write to the store what is to be kept with it or not at all. It survives the death of the process, and a power cut after `flush`. */
  save(source: string, upserts: readonly ObjectRecord[], deletes: readonly ObjectKey[], along?: () => void): void;
  /** Resolves when all that was saved is on the disk. Blocks nobody. */
  flush(): Promise<void>;
  /** Whether this source ever delivered anything. */
  hasSpoken(source: string): boolean;
  remember(source: string, facts: { readonly at: number; readonly commit?: string; readonly detail?: string }): void;
  facts(source: string): { readonly at: number; readonly commit?: string; readonly detail?: string } | null;
}

/** Small durable facts by noun and id: pins, holds, overrides, remembered maxelem, held and rejected changes, etcd position. JSON values. */
export interface FactRepository {
  list<T>(noun: string): readonly { readonly id: string; readonly value: T }[];
  put(noun: string, id: string, value: unknown): void;
  delete(noun: string, id: string): void;
}

/** Runs with their scripts (compressed) and exceptions; applied lines take no row. Cut to `history.runs`, `days`, `maxMiB`. */
export interface RunRepository {
  begin(run: Run, script: Iterable<string>): void;
  update(run: Run): void;
  /** `sections`: for each section of the plan its first line, count, set, group, family: what names a line's set. */
  finish(
    run: Run,
    exceptions: readonly Exception[],
    sections: readonly RunSection[],
    readBack: ReadonlyMap<string, string>,
  ): void;
  get(id: string): Run | null;
  script(id: string): Iterable<string>;
  /** Stored lines from `firstLine` (1-based), at most `count`. A script is stored in the background: fewer lines mean that it is not whole yet. */
  scriptLines(id: string, firstLine: number, count: number): readonly string[];
  exceptions(id: string): readonly Exception[];
  /** The same as ascending ranges: what a page of outcomes needs. */
  exceptionRanges(id: string): readonly ExceptionRange[];
  sections(id: string): readonly RunSection[];
  /** What the read-back after the run found, by set name. */
  readBack(id: string): ReadonlyMap<string, string>;
  list(filter: {
    readonly failed?: boolean;
    readonly set?: string;
    readonly phase?: string;
    readonly text?: string;
    readonly before?: string;
    readonly limit: number;
    readonly sort?: { readonly by: string; readonly desc: boolean };
  }): { readonly items: readonly Run[]; readonly total: number; readonly nextCursor?: string };
  /** How many runs that have ended began in each minute (since 1970) from `since` (milliseconds) on; `failed` did not succeed. */
  endedSince(since: number): readonly { readonly minute: number; readonly runs: number; readonly failed: number }[];
  /** At start: what was `running` when the agent died becomes `interrupted`. */
  interruptRunning(): number;
}
export interface RunSection {
  readonly firstLine: number;
  readonly lines: number;
  readonly set: string;
  readonly group: string | null;
  readonly family: 'inet' | 'inet6' | null;
  readonly how: string;
}

/** The Changes time line and object history, from which `why` and `since` are derived. */
export interface ChangeRepository {
  append(change: Omit<Change, 'id'>): void;
  list(filter: {
    readonly kind?: string;
    readonly text?: string;
    readonly since?: string;
    readonly before?: string;
    readonly limit: number;
  }): { readonly items: readonly Change[]; readonly total: number; readonly nextCursor?: string };
  /** The newest model changes of one object: when it appeared, changed, went, and by which file. */
  objectChanges(key: ObjectKey, limit: number): readonly ObjectHistory[];
  /** Objects whose text named a word at some time, the newest first: at most `limit`, out of the newest 100,000 changes. */
  objectsNaming(word: string, limit: number): readonly ObjectKey[];
  appendObjects(rows: readonly Omit<ObjectHistory, 'id'>[]): void;
  /** Resolves when little waits to be written: whoever has very many rows waits for it now and then. */
  room(): Promise<void>;
}
export interface ObjectHistory {
  readonly id: string;
  readonly at: string;
  readonly key: ObjectKey;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly source: string;
  readonly file?: string;
  readonly line?: number;
  readonly commit?: string;
  readonly text: string | null;
}

export interface DriftRepository {
  append(entry: DriftEntry): void;
  repaired(id: string, at: string, run: string): void;
  list(filter: { readonly group?: string; readonly before?: string; readonly limit: number }): {
    readonly items: readonly DriftEntry[];
    readonly total: number;
    readonly nextCursor?: string;
  };
}

export interface AuditRepository {
  /** Survives the death of the process when it returns. A power cut can take it only with all that the act wrote after it. Chained: each entry holds the hash of the one before. */
  begin(entry: Omit<AuditEntry, 'id' | 'result' | 'durationMs'>): string;
  /** Written when it returns, on the disk with all that was written before when it resolves: the event loop does not wait for the disk. Never rejects for what the disk says. */
  finish(id: string, result: string, durationMs: number): Promise<void>;
  list(filter: {
    readonly text?: string;
    readonly actor?: string;
    readonly verb?: string;
    readonly before?: string;
    readonly limit: number;
  }): { readonly items: readonly AuditEntry[]; readonly total: number; readonly nextCursor?: string };
  /** Walks the whole chain, some milliseconds at a time. */
  verify(): Promise<AuditVerdict>;
  /** At start: an act without a result gets the result `interrupted`. */
  interruptOpen(): number;
  /** The newest line's number and hash: what goes to the log, so that a rewritten chain is found. */
  head(): { readonly entry: number; readonly hash: string };
}
export interface AuditVerdict {
  readonly ok: boolean;
  readonly entries: number;
  readonly head: string;
  readonly brokenAt?: string;
  readonly detail: string;
}

/** The embedded store (node:sqlite). */
export interface Store {
  readonly lastGood: LastGoodRepository;
  readonly facts: FactRepository;
  readonly runs: RunRepository;
  readonly changes: ChangeRepository;
  readonly drift: DriftRepository;
  readonly audit: AuditRepository;
  /** True since a corrupt store was set aside, over restarts, until an operator says so: nothing is swept and removals wait. */
  readonly wasSetAside: boolean;
  /** An operator takes the new, empty store as it is. */
  acknowledgeSetAside(): void;
  /** Writes what waits, then closes. */
  close(): Promise<void>;
}

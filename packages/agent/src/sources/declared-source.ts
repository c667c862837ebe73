import { ApiError } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import { type ObjectKey, type ObjectKind, objectKey } from '../model/objects.ts';
import type { ParsedObject } from '../model/parse-documents.ts';
import { StoredRecord } from '../model/stored-record.ts';
import type { FactRepository, LastGoodRepository } from '../store/store.ts';
import { createBreather } from './breather.ts';
import type { Source, SourceUpdate } from './source.ts';

/** What a declared source needs. */
export interface DeclaredSourceOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly lastGood: LastGoodRepository;
  readonly facts: FactRepository;
}

/** What a change of declared objects did. */
export interface DeclaredChange {
  readonly changed: number;
  readonly unchanged: number;
  /** Of the declared objects, after the change: give it back with the next change to be sure that nobody came between. */
  readonly revision: number;
}

/** Objects written by operators and programs through the API, kept in the store: always current. */
export interface DeclaredSource extends Source {
  readonly kind: 'declared';
  /** Counts the changes ever made; survives restarts. */
  readonly revision: number;
  /** The objects as of `revision`, in no order: the model may learn of the newest a moment later. */
  records(): Iterable<StoredRecord>;
  /** One object as of `revision`; null if it is not declared here. */
  record(key: ObjectKey): StoredRecord | null;
  /** Writes whole objects; `conflict` if `ifRevision` is not the newest, `store-unavailable` if it could not be kept. */
  put(objects: readonly ParsedObject[], ifRevision: number | undefined): DeclaredChange;
  /** Deletes one object; `not-found` if it is not declared here. */
  delete(kind: ObjectKind, id: string, ifRevision: number | undefined): DeclaredChange;
}

/** The declared objects of the store. A change survives the death of the process when `put` returns; it is on the disk before it is answered, with the result of the act. */
export function createDeclaredSource(options: DeclaredSourceOptions): DeclaredSource {
  return new StoredDeclaredSource(options);
}

const NOUN = 'declared-revision';

class StoredDeclaredSource implements DeclaredSource {
  readonly kind = 'declared';
  readonly name: string;
  readonly #options: DeclaredSourceOptions;
  readonly #records = new Map<ObjectKey, StoredRecord>();
  #isRead = false;
  #revision = 0;
  #since = 0;
  #deliver: (update: SourceUpdate) => void = () => {};

  constructor(options: DeclaredSourceOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get revision(): number {
    return this.#revision;
  }

  records(): Iterable<StoredRecord> {
    return this.#records.values();
  }

  record(key: ObjectKey): StoredRecord | null {
    return this.#records.get(key) ?? null;
  }

  async start(deliver: (update: SourceUpdate) => void): Promise<void> {
    const { lastGood, facts, clock } = this.#options;
    const breathe = createBreather(clock);
    for (const record of lastGood.load(this.name)) {
      this.#records.set(record.key, StoredRecord.of(record));
      const pause = breathe();
      if (pause !== null) await pause;
    }
    this.#isRead = true;
    this.#revision = facts.list<number>(NOUN).find(({ id }) => id === this.name)?.value ?? 0;
    this.#since = clock.now();
    this.#deliver = deliver;
    this.#tell([...this.#records.values()], []);
  }

  async stop(): Promise<void> {
    this.#deliver = () => {};
  }

  put(objects: readonly ParsedObject[], ifRevision: number | undefined): DeclaredChange {
    this.#expect(ifRevision);
    const upserts = objects.flatMap(({ key, text }) => {
      if (text === null || this.#records.get(key)?.text === text) return [];
      return [new StoredRecord(key, text, { source: this.name })];
    });
    this.#commit(upserts, []);
    return { changed: upserts.length, unchanged: objects.length - upserts.length, revision: this.#revision };
  }

  delete(kind: ObjectKind, id: string, ifRevision: number | undefined): DeclaredChange {
    this.#expect(ifRevision);
    const key = objectKey(kind, id);
    if (!this.#records.has(key)) {
      throw new ApiError('not-found', `${kind} ${id} is not among the declared objects.`, {
        subject: id,
        remedy: 'An object of a directory or of etcd is deleted there.',
      });
    }
    this.#commit([], [key]);
    return { changed: 1, unchanged: 0, revision: this.#revision };
  }

  #expect(ifRevision: number | undefined): void {
    if (!this.#isRead) {
      throw new ApiError('not-ready', 'The declared objects are still being read from the store.', {
        subject: this.name,
        remedy: 'Try again in a moment.',
      });
    }
    if (ifRevision === undefined || ifRevision === this.#revision) return;
    throw new ApiError('conflict', `The declared objects changed: revision ${this.#revision}, not ${ifRevision}.`, {
      subject: this.name,
      remedy: 'Look at what changed, and send the change again with the newest revision.',
      details: { revision: this.#revision },
    });
  }

  /** Store first: what is not stored is neither told nor remembered. */
  #commit(upserts: readonly StoredRecord[], deletes: readonly ObjectKey[]): void {
    if (upserts.length + deletes.length === 0) return;
    const { lastGood, facts, clock } = this.#options;
    try {
      // Together: a crash between them would leave them at odds.
      lastGood.save(this.name, upserts, deletes, () => {
        facts.put(NOUN, this.name, this.#revision + 1);
        lastGood.remember(this.name, { at: clock.now() });
      });
    } catch (cause) {
      throw new ApiError('store-unavailable', 'The declared objects could not be stored; nothing was changed.', {
        subject: this.name,
        remedy: 'Look at the problems for the store and its disk.',
        cause,
      });
    }
    this.#revision++;
    for (const record of upserts) this.#records.set(record.key, record);
    for (const key of deletes) this.#records.delete(key);
    this.#tell(upserts, deletes);
  }

  #tell(upserts: readonly StoredRecord[], deletes: readonly ObjectKey[]): void {
    const { name: source } = this;
    this.#deliver({ source, state: 'current', since: this.#since, upserts, deletes, faults: [], files: [] });
  }
}

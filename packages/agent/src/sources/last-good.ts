import type { ObjectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import type { LastGoodRepository } from '../store/store.ts';
import type { Breathe } from './breather.ts';

/** A generation up to this size is one transaction. */
const CHANGES_AT_ONCE = 5_000;
/** A larger one is many: each holds the event loop up for some milliseconds. */
const CHANGES_A_SLICE = 500;

type Change = readonly [ObjectKey, StoredRecord | null];

/**
 * The last good content of one source, kept safe before anybody acts on it. What the store could not take (a full disk)
 * is tried again with the next generation: the agent goes on, and says so through `trouble`.
 */
export class LastGood {
  readonly #repository: LastGoodRepository;
  readonly #source: string;
  readonly #unsaved = new Map<ObjectKey, StoredRecord | null>();
  #trouble: string | null = null;

  constructor(repository: LastGoodRepository, source: string) {
    this.#repository = repository;
    this.#source = source;
  }

  /** Why the last generation is not in the store, or null. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** In the order of keys; a million are read in slices between which others run. */
  async load(breathe: Breathe): Promise<readonly StoredRecord[]> {
    const records: StoredRecord[] = [];
    for (const record of this.#repository.load(this.#source)) {
      records.push(StoredRecord.of(record));
      const pause = breathe();
      if (pause !== null) await pause;
    }
    return records;
  }

  /** Whether the source ever delivered a generation, and when it was last current. */
  facts(): ReturnType<LastGoodRepository['facts']> {
    return this.#repository.facts(this.#source);
  }

  /** One transaction; a generation of more than 5,000 changes is several, so that the agent goes on answering. On the disk when it resolves. */
  async save(
    upserts: readonly StoredRecord[],
    deletes: readonly ObjectKey[],
    facts: { readonly at: number; readonly commit?: string; readonly detail?: string },
  ): Promise<void> {
    const changes = this.#changes(upserts, deletes);
    const size = this.#unsaved.size + upserts.length + deletes.length;
    const remember = (): void => this.#repository.remember(this.#source, facts);
    try {
      if (size <= CHANGES_AT_ONCE) this.#saveSome(take(changes, CHANGES_AT_ONCE), remember);
      else await this.#saveInSlices(changes, remember);
      await this.#repository.flush();
      this.#trouble = null;
    } catch (error) {
      for (const [key, record] of changes) this.#unsaved.set(key, record);
      this.#trouble = `its last good content could not be stored: ${error instanceof Error ? error.message : error}`;
    }
  }

  /** What was not stored before, and then what is new: the newest of each object counts. */
  *#changes(upserts: readonly StoredRecord[], deletes: readonly ObjectKey[]): Generator<Change, undefined> {
    yield* [...this.#unsaved];
    for (const record of upserts) yield [record.key, record];
    for (const key of deletes) yield [key, null];
  }

  async #saveInSlices(changes: Generator<Change, undefined>, remember: () => void): Promise<void> {
    for (let some = take(changes, CHANGES_A_SLICE); some.length > 0; some = take(changes, CHANGES_A_SLICE)) {
      this.#saveSome(some);
      await new Promise(setImmediate);
    }
    this.#saveSome([], remember);
  }

  #saveSome(changes: readonly Change[], along?: () => void): void {
    const newest = new Map(changes);
    const upserts = [...newest.values()].flatMap((record) => record ?? []);
    const deletes = [...newest].flatMap(([key, record]) => (record === null ? [key] : []));
    try {
      this.#repository.save(this.#source, upserts, deletes, along);
    } catch (error) {
      for (const [key, record] of newest) this.#unsaved.set(key, record);
      throw error;
    }
    if (this.#unsaved.size > 0) for (const key of newest.keys()) this.#unsaved.delete(key);
  }
}

/** The next few of a generator, which stays open. */
function take(from: Generator<Change, undefined>, count: number): readonly Change[] {
  const taken: Change[] = [];
  while (taken.length < count) {
    const next = from.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

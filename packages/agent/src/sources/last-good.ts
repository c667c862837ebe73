import type { ObjectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import type { LastGoodRepository } from '../store/store.ts';

const CHANGES_A_TRANSACTION = 5_000;

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

  load(): readonly StoredRecord[] {
    return this.#repository.load(this.#source).map((record) => StoredRecord.of(record));
  }

  /** Whether the source ever delivered a generation, and when it was last current. */
  facts(): ReturnType<LastGoodRepository['facts']> {
    return this.#repository.facts(this.#source);
  }

  /** One transaction; a generation of more than 5,000 changes is several, so that the agent goes on answering. */
  async save(
    upserts: readonly StoredRecord[],
    deletes: readonly ObjectKey[],
    facts: { readonly at: number; readonly commit?: string; readonly detail?: string },
  ): Promise<void> {
    for (const record of upserts) this.#unsaved.set(record.key, record);
    for (const key of deletes) this.#unsaved.set(key, null);
    try {
      while (this.#unsaved.size > 0) {
        this.#saveSome([...this.#unsaved.entries().take(CHANGES_A_TRANSACTION)]);
        if (this.#unsaved.size > 0) await new Promise(setImmediate);
      }
      this.#repository.remember(this.#source, facts);
      this.#trouble = null;
    } catch (error) {
      this.#trouble = `its last good content could not be stored: ${error instanceof Error ? error.message : error}`;
    }
  }

  #saveSome(changes: readonly (readonly [ObjectKey, StoredRecord | null])[]): void {
    const upserts = changes.flatMap(([, record]) => record ?? []);
    const deletes = changes.flatMap(([key, record]) => (record === null ? [key] : []));
    this.#repository.save(this.#source, upserts, deletes);
    for (const [key] of changes) this.#unsaved.delete(key);
  }
}

import type { ObjectKey } from '../../model/objects.ts';
import { ShardedMap } from '../../model/sharded-map.ts';
import { type Place, StoredRecord } from '../../model/stored-record.ts';
import type { Breathe } from '../breather.ts';
import type { LaidOut } from './etcd-layout.ts';

/** What a snapshot or a batch of changes changed. */
export interface EtcdContentChange {
  readonly upserts: readonly StoredRecord[];
  readonly deletes: readonly ObjectKey[];
}

/** The objects of an etcd source with their last good values. Pure. */
export class EtcdContent {
  readonly #place: Place;
  readonly #records = new ShardedMap<ObjectKey, StoredRecord>();
  readonly #faulty = new Set<ObjectKey>();

  constructor(source: string) {
    this.#place = { source };
  }

  /** Begins with what the store kept. */
  async restore(lastGood: Iterable<StoredRecord>, breathe: Breathe): Promise<void> {
    for (const record of lastGood) {
      this.#records.set(record.key, record);
      const pause = breathe();
      if (pause !== null) await pause;
    }
  }

  /** Everything there is: what is not part of it is gone. */
  async replace(objects: ReadonlyMap<ObjectKey, LaidOut>, breathe: Breathe): Promise<EtcdContentChange> {
    const change = await this.update(objects, breathe);
    const deletes = [...change.deletes];
    for (const key of this.#records.keys()) {
      const pause = breathe();
      if (pause !== null) await pause;
      if (!objects.has(key)) deletes.push(key);
    }
    for (const key of deletes) this.#records.delete(key);
    for (const key of this.#faulty) if (!objects.has(key)) this.#faulty.delete(key);
    return { upserts: change.upserts, deletes };
  }

  /** Some objects changed. */
  async update(objects: ReadonlyMap<ObjectKey, LaidOut>, breathe: Breathe): Promise<EtcdContentChange> {
    const upserts: StoredRecord[] = [];
    const deletes: ObjectKey[] = [];
    for (const [key, laidOut] of objects) {
      const pause = breathe();
      if (pause !== null) await pause;
      if (laidOut.is === 'faulty') {
        this.#faulty.add(key);
        continue;
      }
      this.#faulty.delete(key);
      if (laidOut.is === 'gone') {
        if (this.#records.delete(key)) deletes.push(key);
      } else if (this.#records.get(key)?.text !== laidOut.text) {
        const record = new StoredRecord(key, laidOut.text, this.#place);
        this.#records.set(key, record);
        upserts.push(record);
      }
    }
    return { upserts, deletes };
  }

  /** Drops the last good values of objects that are faulty now. */
  acceptAsComplete(): EtcdContentChange {
    const deletes = [...this.#faulty].filter((key) => this.#records.delete(key));
    return { upserts: [], deletes };
  }
}

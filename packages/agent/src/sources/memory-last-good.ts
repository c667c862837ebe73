import type { ObjectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import type { LastGoodRepository } from '../store/store.ts';

type Facts = NonNullable<ReturnType<LastGoodRepository['facts']>>;

/** Last good content that lives as long as the value: what a store would hold, for tests. */
export function createMemoryLastGood(): LastGoodRepository {
  const records = new Map<string, Map<ObjectKey, StoredRecord>>();
  const facts = new Map<string, Facts>();
  const save: LastGoodRepository['save'] = (source, upserts, deletes, along) => {
    const ofSource = records.get(source) ?? new Map<ObjectKey, StoredRecord>();
    records.set(source, ofSource);
    for (const key of deletes) ofSource.delete(key);
    for (const record of upserts) ofSource.set(record.key, StoredRecord.of(record));
    along?.();
  };
  return {
    load: (source) => [...(records.get(source)?.values() ?? [])],
    save,
    flush: async () => {},
    hasSpoken: (source) => facts.has(source),
    remember: (source, now) => {
      facts.set(source, now);
    },
    facts: (source) => facts.get(source) ?? null,
  };
}

import type { ObjectKey, ObjectRecord, Origin } from '../model/objects.ts';
import { type Place, StoredRecord } from '../model/stored-record.ts';
import type { Database } from './database.ts';
import { text } from './row.ts';
import type { LastGoodRepository } from './store.ts';

/** Rows read at a time: a millisecond or two. */
const ROWS_A_READ = 500;

/** Last good content on a database. Faults of the disk are thrown: the caller decides whether it can go on without. */
export function createLastGoodRepository(database: Database): LastGoodRepository {
  const write = (source: string, upserts: readonly ObjectRecord[], deletes: readonly ObjectKey[]): void => {
    for (const key of deletes) database.run('DELETE FROM last_good WHERE source = ? AND key = ?', source, key);
    for (const record of upserts)
      database.run(
        `INSERT INTO last_good (source, key, text, origin) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET text = excluded.text, origin = excluded.origin`,
        source,
        record.key,
        record.text,
        JSON.stringify(record.origin),
      );
  };

  return {
    load: (source) => readAll(database, source),
    save: (source, upserts, deletes, along) =>
      database.transaction(() => {
        write(source, upserts, deletes);
        along?.();
      }),
    flush: () => database.flush(),

    hasSpoken: (source) => database.get('SELECT 1 FROM source WHERE name = ?', source) !== undefined,

    remember: (source, facts) => {
      database.run(
        'INSERT INTO source (name, facts) VALUES (?, ?) ON CONFLICT DO UPDATE SET facts = excluded.facts',
        source,
        JSON.stringify(facts),
      );
    },

    facts: (source) => {
      const row = database.get('SELECT facts FROM source WHERE name = ?', source);
      return row === undefined ? null : (JSON.parse(text(row, 'facts')) as SourceFacts);
    },
  };
}

type SourceFacts = NonNullable<ReturnType<LastGoodRepository['facts']>>;

/** What was stored was a valid record: the store's own text is trusted. */
function* readAll(database: Database, source: string): Generator<StoredRecord> {
  const placeOf = sharedPlaces();
  for (let after = ''; ; ) {
    const rows = database.all(
      'SELECT key, text, origin FROM last_good WHERE source = ? AND key > ? ORDER BY key LIMIT ?',
      source,
      after,
      ROWS_A_READ,
    );
    for (const row of rows) {
      after = text(row, 'key');
      const { line = 0, ...place } = JSON.parse(text(row, 'origin')) as Origin;
      yield new StoredRecord(after as ObjectKey, text(row, 'text'), placeOf(place), line);
    }
    if (rows.length < ROWS_A_READ) return;
  }
}

/** The objects of one file and commit share their place, as they did when they were read. */
function sharedPlaces(): (place: Place) => Place {
  const known = new Map<string, Place>();
  return (place) => {
    const key = JSON.stringify([place.source, place.file, place.commit]);
    const shared = known.get(key) ?? place;
    known.set(key, shared);
    return shared;
  };
}

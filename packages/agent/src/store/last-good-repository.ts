import type { ObjectKey, Origin } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import type { Database } from './database.ts';
import { text } from './row.ts';
import type { LastGoodRepository } from './store.ts';

/** Last good content on a database with synchronous FULL. Faults of the disk are thrown: the caller decides whether it can go on without. */
export function createLastGoodRepository(database: Database): LastGoodRepository {
  return {
    load: (source) =>
      database.all('SELECT key, text, origin FROM last_good WHERE source = ? ORDER BY key', source).map((row) =>
        // What was stored was a valid record: the store's own text is trusted.
        StoredRecord.of({
          key: text(row, 'key') as ObjectKey,
          text: text(row, 'text'),
          origin: JSON.parse(text(row, 'origin')) as Origin,
        }),
      ),

    save: (source, upserts, deletes) =>
      database.transaction(() => {
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
      }),

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

import type { ObjectRecord } from '../model/objects.ts';
import type { Database } from './database.ts';
import { text } from './row.ts';
import type { LastGoodRepository } from './store.ts';
import { fromStoredJson, toStoredJson } from './stored-json.ts';

/** Last good content on a database with synchronous FULL. Faults of the disk are thrown: the caller decides whether it can go on without. */
export function createLastGoodRepository(database: Database): LastGoodRepository {
  return {
    load: (source) =>
      database.all('SELECT record FROM last_good WHERE source = ? ORDER BY key', source).map((row) => {
        // What was stored was a valid record: the store's own text is trusted.
        return fromStoredJson(text(row, 'record')) as ObjectRecord;
      }),

    save: (source, upserts, deletes) =>
      database.transaction(() => {
        for (const key of deletes) database.run('DELETE FROM last_good WHERE source = ? AND key = ?', source, key);
        for (const record of upserts)
          database.run(
            'INSERT INTO last_good (source, key, record) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record',
            source,
            record.key,
            toStoredJson(record),
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

import type { Database } from './database.ts';
import { text } from './row.ts';
import type { FactRepository } from './store.ts';
import { StoreFault } from './store-fault.ts';

export interface TolerantFacts extends FactRepository {
  /** Writes again what the disk refused. True when nothing is waiting any more. */
  writeWaiting(): boolean;
}

/**
 * Facts on a database. When the disk takes no more, a fact stands in memory and is written by
 * `writeWaiting` later: an operator's hold must hold although the disk is full. `onWaiting` is told each time.
 */
export function createFactRepository(database: Database, onWaiting: (fault: StoreFault) => void): TolerantFacts {
  /** noun -> id -> the JSON that waits; null: a delete that waits. */
  const waiting = new Map<string, Map<string, string | null>>();

  const write = (noun: string, id: string, value: string | null): void => {
    if (value === null) database.run('DELETE FROM fact WHERE noun = ? AND id = ?', noun, id);
    else
      database.run(
        'INSERT INTO fact (noun, id, value) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        noun,
        id,
        value,
      );
  };

  const writeOrWait = (noun: string, id: string, value: string | null): void => {
    try {
      write(noun, id, value);
      waiting.get(noun)?.delete(id);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      const ofNoun = waiting.get(noun) ?? new Map<string, string | null>();
      ofNoun.set(id, value);
      waiting.set(noun, ofNoun);
      onWaiting(error);
    }
  };

  return {
    list: <T>(noun: string) => {
      const values = new Map<string, string>();
      for (const row of database.all('SELECT id, value FROM fact WHERE noun = ? ORDER BY id', noun))
        values.set(text(row, 'id'), text(row, 'value'));
      for (const [id, value] of waiting.get(noun) ?? []) {
        if (value === null) values.delete(id);
        else values.set(id, value);
      }
      // The caller names the type it stored under this noun.
      return [...values].map(([id, value]) => ({ id, value: JSON.parse(value) as T }));
    },
    put: (noun, id, value) => writeOrWait(noun, id, JSON.stringify(value)),
    delete: (noun, id) => writeOrWait(noun, id, null),
    writeWaiting: () => {
      for (const [noun, ofNoun] of waiting) {
        for (const [id, value] of ofNoun) {
          try {
            write(noun, id, value);
            ofNoun.delete(id);
          } catch (error) {
            if (error instanceof StoreFault) return false;
            throw error;
          }
        }
        waiting.delete(noun);
      }
      return true;
    },
  };
}

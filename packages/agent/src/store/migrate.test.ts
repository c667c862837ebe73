import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { storeBench } from './testing/temporary-store.ts';

const ONE = 'CREATE TABLE thing (name TEXT) STRICT';
const TWO = "ALTER TABLE thing ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'";

describe('migrations', () => {
  it('bring an older store forward and keep a copy of it', () => {
    const { path } = storeBench();
    const database = openDatabase(path);
    migrate(database, [ONE]);
    database.run('INSERT INTO thing (name) VALUES (?)', 'a');
    expect(existsSync(`${path}.before-v1`)).toBe(false);
    migrate(database, [ONE, TWO]);
    expect(database.all('SELECT * FROM thing')).toEqual([{ name: 'a', colour: 'grey' }]);
    database.close();
    const copy = openDatabase(`${path}.before-v2`);
    expect(copy.all('SELECT * FROM thing')).toEqual([{ name: 'a' }]);
    expect(copy.get('PRAGMA user_version')).toEqual({ user_version: 1 });
    copy.close();
  });

  it('leave the store at the step before one that fails', () => {
    const { path } = storeBench();
    const database = openDatabase(path);
    migrate(database, [ONE]);
    expect(() => migrate(database, [ONE, `${TWO}; CREATE TABLE thing (x) STRICT`])).toThrow();
    expect(database.get('PRAGMA user_version')).toEqual({ user_version: 1 });
    expect(database.all('PRAGMA table_info(thing)').map(({ name }) => name)).toEqual(['name']);
    database.close();
  });
});

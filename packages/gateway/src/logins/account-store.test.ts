import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inTransaction, openAccountStore } from './account-store.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setkeeper-accounts-'));
  file = join(folder, 'below', 'gateway.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('is made where it is not, for its owner alone', () => {
  openAccountStore(file).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'below')).mode & 0o777).toBe(0o700);
});

it('of a newer version is left alone', () => {
  openAccountStore(file).close();
  const database = new DatabaseSync(file);
  database.exec('pragma user_version = 99');
  database.close();
  const before = readFileSync(file);
  expect(() => openAccountStore(file)).toThrow(/version 99.*newer Setkeeper/u);
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('that is damaged lets nobody in, and says what to do', () => {
  openAccountStore(file).close();
  writeFileSync(file, 'not a database, and long enough to be looked at as one. '.repeat(100));
  chmodSync(file, 0o600);
  expect(() => openAccountStore(file)).toThrow(/cannot be used.*move it away/u);
});

it('undoes a transaction that fails', () => {
  const database = openAccountStore(file);
  expect(() =>
    inTransaction(database, () => {
      database.exec(`insert into throttle values ('x', 1, 1)`);
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(database.prepare('select count(*) as n from throttle').get()).toEqual({ n: 0 });
  database.close();
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from './database.ts';

let folder: string;
let database: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setkeeper-database-'));
  database = openDatabase(join(folder, 'a.db'));
  database.exec('CREATE TABLE row (x INTEGER) STRICT');
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

it('waits once for the disk for all who ask at the same time, and again for who asks later', async () => {
  const first = database.flush();
  expect(database.flush()).toBe(first);
  await first;
  const second = database.flush();
  expect(second).not.toBe(first);
  await second;
});

it('says that nothing is on the disk where the log is gone, also to those who wait behind', async () => {
  rmSync(join(folder, 'a.db-wal'));
  const failed = database.flush();
  await Promise.resolve();
  await Promise.resolve();
  const behind = database.flush();
  await expect(failed).rejects.toThrow(/a\.db/);
  await expect(behind).rejects.toThrow(/a\.db/);
});

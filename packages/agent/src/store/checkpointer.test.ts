import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Checkpointer, createCheckpointer } from './checkpointer.ts';
import { type Database, openDatabase } from './database.ts';

const MIB = 1024 * 1024;

let folder: string;
let path: string;
let database: Database;
let now = 0;
let checkpointer: Checkpointer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sk-log-'));
  path = join(folder, 'a.db');
  database = openDatabase(path);
  database.exec('CREATE TABLE t (data BLOB) STRICT');
  checkpointer = createCheckpointer([path], { monotonic: () => now }, (error) => {
    throw error;
  });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (bytes: number): void => void database.run('INSERT INTO t VALUES (?)', new Uint8Array(bytes));
const look = async (): Promise<number> => {
  checkpointer.look();
  await checkpointer.idle();
  return Math.round(statSync(path).size / MIB);
};

it('brings in a log once it is large', async () => {
  write(MIB);
  expect(await look()).toBe(0);
  write(9 * MIB);
  expect(await look()).toBe(10);
});

it('leaves a log alone that was brought in, though it stays large, until a minute after somebody wrote again', async () => {
  write(9 * MIB);
  expect(await look()).toBe(9);
  write(2 * MIB);
  expect(await look()).toBe(9);
  now += 60_000;
  expect(await look()).toBe(11);
});

it('brings in at once what made it grow', async () => {
  write(9 * MIB);
  expect(await look()).toBe(9);
  write(18 * MIB);
  expect(await look()).toBe(27);
});

it('keeps a log bounded though somebody always wrote while it was brought in', async () => {
  let most = 0;
  for (let round = 0; round < 40; round += 1) {
    for (let written = 0; written < 9; written += 1) write(MIB);
    checkpointer.look();
    write(MIB);
    await checkpointer.idle();
    most = Math.max(most, statSync(`${path}-wal`).size / MIB);
  }
  expect(most).toBeLessThan(60);
});

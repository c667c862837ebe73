import { DatabaseSync } from 'node:sqlite';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LoginsUnderTest, startLogins } from '../testing/test-logins.ts';
import { openAccountStore } from './account-store.ts';
import { createLoginLibrary, libraryOptions } from './login-library.ts';

let logins: LoginsUnderTest;
beforeAll(async () => {
  logins = await startLogins();
});
afterAll(() => logins.close());

const options = libraryOptions(new DatabaseSync(':memory:'), 'x'.repeat(40));
const routes = Object.values(betterAuth(options).api).flatMap((endpoint) => {
  const { path } = endpoint as { path?: string };
  return path === undefined ? [] : [path.replaceAll(/:[a-z]+/gu, 'x')];
});

it('has many routes', () => expect(routes.length).toBeGreaterThan(25));

it.each(routes)('has its route %s mounted nowhere', async (route) => {
  for (const prefix of ['/api/auth', '/api', '/auth']) {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {};
      const response = await fetch(`${logins.gateway.url}${prefix}${route}`, { method, ...body });
      expect([404, 503]).toContain(response.status);
      // 503 is the page for a console that is not built: outside of /api everything is the console.
      if (response.status === 503) expect(prefix).toBe('/auth');
    }
  }
});

it('finds its tables as it would make them itself', async () => {
  const database = openAccountStore(':memory:');
  const { toBeCreated, toBeAdded } = await getMigrations(libraryOptions(database, 'x'.repeat(40)));
  expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  database.close();
});

it('keeps passwords as salted scrypt hashes', async () => {
  const database = openAccountStore(':memory:');
  const library = await createLoginLibrary(database, 'x'.repeat(40));
  const [one, other] = await Promise.all([library.hashPassword('a password'), library.hashPassword('a password')]);
  expect(one).not.toBe(other);
  expect(one).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/u);
  expect(await library.verifyPassword(one, 'a password')).toBe(true);
  expect(await library.verifyPassword(one, 'another')).toBe(false);
  database.close();
});

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LoginsUnderTest, password, startLogins } from '../testing/test-logins.ts';
import { newCode, readCode } from './secrets.ts';

let logins: LoginsUnderTest;
beforeEach(async () => {
  logins = await startLogins();
});
afterEach(() => logins.close());

const first = (code: string, name = 'maria') => ({ code, name, password });

it('lets the one-time code make the first admin, who is then signed in', async () => {
  const browser = logins.browser();
  expect((await browser.get('/api/session')).body).toMatchObject({
    loginsEnabled: true,
    needsFirstAdmin: true,
    user: null,
    agents: [],
  });
  const answer = await browser.post('/api/first-admin', first(logins.code()));
  expect(answer.status).toBe(200);
  expect(answer.body).toMatchObject({
    needsFirstAdmin: false,
    user: { name: 'maria', role: 'admin' },
    agents: ['node-a'],
  });
  expect((await browser.get('/api/trpc/status.get')).status).toBe(200);
  expect(logins.agent.asked[0]?.claims).toMatchObject({ name: 'maria', role: 'admin' });
});

it('makes one admin, however many try at once', async () => {
  const code = logins.code();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const answers = await Promise.all(names.map((name) => logins.browser().post('/api/first-admin', first(code, name))));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  const database = new DatabaseSync(logins.store);
  expect(database.prepare('select count(*) as n from user').get()).toEqual({ n: 1 });
  database.close();
});

it('takes the code however it is typed, and once', async () => {
  const typed = logins.code().toLowerCase().replaceAll('-', ' ');
  expect((await logins.browser().post('/api/first-admin', first(typed))).status).toBe(200);
  expect((await logins.browser().post('/api/first-admin', first(typed, 'eve'))).status).toBe(409);
});

it('refuses a wrong code, and makes guessing slow', async () => {
  const browser = logins.browser();
  const wrong = first(newCode());
  expect((await browser.post('/api/first-admin', wrong)).status).toBe(401);
  for (let n = 0; n < 19; n += 1) await browser.post('/api/first-admin', wrong);
  const answer = await browser.post('/api/first-admin', first(logins.code()));
  expect(answer.status).toBe(429);
  expect(answer.body).toMatchObject({ code: 'rate-limited', details: { waitSeconds: expect.any(Number) } });
  logins.passes(2000);
  expect((await browser.post('/api/first-admin', first(logins.code()))).status).toBe(200);
});

it('keeps the code where only the owner of the file can read it, hashed in the store, and removes it after use', async () => {
  const code = logins.code();
  expect(statSync(logins.codeFile).mode & 0o777).toBe(0o600);
  const database = new DatabaseSync(logins.store);
  const { hash } = database.prepare('select hash from first_admin').get() ?? {};
  expect(Buffer.from(hash as Uint8Array).toString('latin1')).not.toContain(code);
  await logins.admin();
  expect(existsSync(logins.codeFile)).toBe(false);
  expect(database.prepare('select count(*) as n from first_admin').get()).toEqual({ n: 0 });
  database.close();
});

it('keeps the code while name or password are not good enough', async () => {
  const browser = logins.browser();
  const code = logins.code();
  for (const bad of [
    { code, name: 'maria', password: 'short' },
    { code, name: 'maria', password: 'x'.repeat(40) },
    { code, name: 'maria', password: 'maria-maria-1234' },
    { code, name: '-F', password },
    { code, name: 'a b', password },
  ])
    expect((await browser.post('/api/first-admin', bad)).status).toBe(400);
  expect((await browser.post('/api/first-admin', first(code))).status).toBe(200);
});

it('lets nobody in to an agent before there is a user', async () => {
  expect((await logins.browser().get('/api/trpc/status.get')).status).toBe(401);
  expect(logins.agent.asked).toEqual([]);
});

it('reads look-alikes in a code as what they look like', () => {
  expect(readCode('oOiIl-12345 abcde fghjk')).toBe('00111-12345-ABCDE-FGHJK');
});

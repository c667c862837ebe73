import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, hour, type LoginsUnderTest, minute, password, startLogins } from '../testing/test-logins.ts';

let logins: LoginsUnderTest;
let admin: Browser;
beforeEach(async () => {
  logins = await startLogins((asked, response) => {
    if (asked.url.startsWith('/api/trpc/events.watch'))
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":{"data":1}}');
  });
  admin = await logins.admin();
});
afterEach(() => logins.close());

const isIn = async (browser: Pick<Browser, 'get'>): Promise<boolean> =>
  (await browser.get('/api/trpc/status.get')).status === 200;
const signIn = async (name = 'root', text = password) => {
  const browser = logins.browser();
  const answer = await browser.post('/api/login', { name, password: text });
  return { browser, answer };
};

describe('a sign-in', () => {
  it('takes name and password, and says the same for a wrong name as for a wrong password', async () => {
    const { browser, answer } = await signIn('ROOT');
    expect(answer.status).toBe(200);
    expect(await isIn(browser)).toBe(true);
    const wrongPassword = (await signIn('root', 'wrong horse battery')).answer;
    const wrongName = (await signIn('nobody', password)).answer;
    expect([wrongPassword.status, wrongName.status]).toEqual([401, 401]);
    expect(wrongName.body.message).toBe(wrongPassword.body.message);
    expect(wrongPassword.headers.get('set-cookie')).toBeNull();
  });

  it('sets a cookie that scripts cannot read and other sites cannot send', async () => {
    const set = (await signIn()).answer.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^setkeeper-[0-9a-f]{8}=[A-Za-z0-9_-]{32,}; Path=\/; HttpOnly; SameSite=Strict$/u);
  });

  it('ends the session that the browser had', async () => {
    const { browser } = await signIn();
    const old = browser.cookie;
    await browser.post('/api/login', { name: 'root', password });
    expect(browser.cookie).not.toBe(old);
    browser.cookie = old;
    expect(await isIn(browser)).toBe(false);
  });

  it('is slowed down for an account, whatever the address, and a right password does not help before its time', async () => {
    for (let n = 0; n < 6; n += 1) await signIn('root', 'wrong horse battery');
    expect((await signIn()).answer.status).toBe(429);
    logins.passes(3000);
    expect((await signIn()).answer.status).toBe(200);
    expect((await signIn('root', 'wrong horse battery')).answer.status).toBe(401);
  });

  it('is slowed down for an address, whatever the account', async () => {
    for (let n = 0; n < 20; n += 1) await signIn(`user${n}`, 'wrong horse battery');
    expect((await signIn()).answer.status).toBe(429);
  });

  it('is slowed down for many at once as for one after the other', async () => {
    await logins.close();
    let slow = Promise.resolve();
    logins = await startLogins(undefined, {
      hash: async (text) => `hash of ${text}`,
      verify: async (asked) => {
        await slow;
        return asked.hash === `hash of ${asked.password}`;
      },
    });
    await logins.admin();
    const gate = Promise.withResolvers<void>();
    slow = gate.promise;
    const refused = Promise.withResolvers<void>();
    const answers = [1, 2, 3, 4, 5, 6].map(async () => {
      const { status } = (await signIn('root', 'wrong horse battery')).answer;
      if (status === 429) refused.resolve();
      return status;
    });
    await refused.promise;
    gate.resolve();
    expect((await Promise.all(answers)).sort()).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('takes JSON of its own pages only', async () => {
    const body = JSON.stringify({ name: 'root', password });
    const post = (headers: Record<string, string>) =>
      fetch(`${logins.gateway.url}/api/login`, { method: 'POST', body, headers });
    expect((await post({ 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post({ 'content-type': 'application/json', origin: 'http://evil.example' })).status).toBe(403);
    expect((await post({ 'content-type': 'application/json', 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect((await logins.browser().post('/api/login', { name: 'root', password, extra: 1 })).status).toBe(400);
  });

  it('leaves no secret in the store', async () => {
    const { browser } = await signIn();
    const secret = browser.cookie?.split('=')[1] ?? '';
    const database = new DatabaseSync(logins.store);
    const all = JSON.stringify([
      database.prepare('select * from session').all(),
      database.prepare('select * from account').all(),
    ]);
    database.close();
    // And as it lies on the disk: what was there for a moment stays in the write-ahead log.
    const bytes = [logins.store, `${logins.store}-wal`].map((file) => readFileSync(file, 'latin1')).join();
    expect(secret.length).toBeGreaterThan(30);
    for (const text of [all, bytes]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(password);
    }
  });

  it('writes down no name that nobody has: people type a password there', async () => {
    await signIn('my secret pass phrase', 'x');
    const { body } = await admin.get('/api/users/log');
    expect(body[0]).toMatchObject({ actor: '(no such user)', act: 'sign-in', result: 'wrong' });
    const bytes = [logins.store, `${logins.store}-wal`].map((file) => readFileSync(file, 'latin1')).join();
    expect(bytes).not.toContain('my secret pass phrase');
  });

  it('is in the log of accounts, refused ones too', async () => {
    await signIn('root', 'wrong horse battery');
    const { body } = await admin.get('/api/users/log');
    expect(body[0]).toMatchObject({ actor: 'root', act: 'sign-in', result: 'wrong', address: '127.0.0.1' });
    expect(JSON.stringify(body)).not.toContain('horse');
  });
});

describe('a session', () => {
  it('ends when nobody acts, and questions do not keep it alive', async () => {
    for (let n = 0; n < 3; n += 1) {
      logins.passes(9 * minute);
      expect(await isIn(admin)).toBe(true);
      expect((await admin.get('/api/session')).body.user).not.toBeNull();
    }
    logins.passes(4 * minute);
    expect(await isIn(admin)).toBe(false);
    expect((await admin.get('/api/session')).body).toMatchObject({ user: null, session: null });
  });

  it('goes on while somebody acts', async () => {
    for (let n = 0; n < 4; n += 1) {
      logins.passes(20 * minute);
      expect((await admin.post('/api/session/touch')).status).toBe(200);
      logins.passes(20 * minute);
      expect((await admin.post('/api/trpc/plan.apply', {})).status).toBe(200);
    }
  });

  it('ends after its longest time, however much somebody acts', async () => {
    for (let n = 0; n < 35; n += 1) {
      logins.passes(20 * minute);
      expect((await admin.post('/api/session/touch')).status).toBe(200);
    }
    logins.passes(20 * minute);
    expect((await admin.post('/api/session/touch')).status).toBe(401);
  });

  it('shows its clock', async () => {
    const { session } = (await admin.get('/api/session')).body;
    expect(Date.parse(session.idleEndsAt) - Date.parse(session.startedAt)).toBe(30 * minute);
    expect(Date.parse(session.absoluteEndsAt) - Date.parse(session.startedAt)).toBe(12 * hour);
    expect(Date.parse(session.now)).toBeGreaterThanOrEqual(Date.parse(session.startedAt));
  });

  it('ends with its event streams when its owner signs out', async () => {
    const stream = await fetch(`${logins.gateway.url}/api/trpc/events.watch`, {
      headers: { cookie: admin.cookie ?? '' },
    });
    const cookie = admin.cookie;
    expect((await admin.post('/api/logout')).body).toEqual({ ended: 1 });
    await expect(stream.text()).rejects.toThrow();
    expect(logins.agent.asked.at(-1)).toMatchObject({ url: '/api/lease', claims: { lease: 0 } });
    admin.cookie = cookie;
    expect(await isIn(admin)).toBe(false);
  });

  it('ends everywhere at once', async () => {
    const { browser: one } = await signIn();
    const { browser: other } = await signIn();
    expect((await one.get('/api/sessions')).body).toHaveLength(3);
    expect((await one.post('/api/logout', { everywhere: true })).body).toEqual({ ended: 3 });
    expect(await Promise.all([isIn(one), isIn(other), isIn(admin)])).toEqual([false, false, false]);
  });

  it('is one of a bounded number: one more ends the one that was idle longest', async () => {
    const { browser: idle } = await signIn();
    logins.passes(minute);
    await admin.post('/api/session/touch');
    logins.passes(minute);
    for (let n = 0; n < 98; n += 1) await signIn();
    expect(await Promise.all([isIn(idle), isIn(admin)])).toEqual([true, true]);
    await signIn();
    expect(await Promise.all([isIn(idle), isIn(admin)])).toEqual([false, true]);
    expect((await admin.get('/api/sessions')).body).toHaveLength(100);
  });

  it('is ended one by one by its owner alone', async () => {
    const maria = await logins.user(admin, 'maria', 'operator');
    const { browser: second } = await signIn('maria');
    const rows: { id: string; isThis: boolean }[] = (await second.get('/api/sessions')).body;
    const other = rows.find((row) => !row.isThis)?.id;
    expect((await admin.post(`/api/sessions/${other}/end`)).status).toBe(404);
    expect((await second.post(`/api/sessions/${other}/end`)).status).toBe(200);
    expect(await Promise.all([isIn(maria), isIn(second)])).toEqual([false, true]);
  });

  it('tells its event stream to end when its idle time is over', async () => {
    const stream = await fetch(`${logins.gateway.url}/api/trpc/events.watch`, {
      headers: { cookie: admin.cookie ?? '' },
    });
    await logins.gateway.leases.renew();
    logins.passes(31 * minute);
    await logins.gateway.leases.renew();
    await expect(stream.text()).rejects.toThrow();
  });
});

describe('an event stream', () => {
  const open = (headers: Record<string, string>) => fetch(`${logins.gateway.url}/api/trpc/events.watch`, { headers });

  it.each([
    ['has another role', { role: 'viewer' }],
    ['is disabled', { disabled: true }],
    ['has to choose a new password', { resetPassword: true }],
  ])('of a session and of a token ends when their owner %s', async (_what, change) => {
    const maria = await logins.user(admin, 'maria', 'operator');
    const { token } = (await maria.post('/api/tokens', { name: 'ci', role: 'operator' })).body;
    const streams = [
      await open({ cookie: maria.cookie ?? '' }),
      await open({ authorization: `Bearer ${token}` }),
      await open({ cookie: admin.cookie ?? '' }),
    ];
    expect(logins.gateway.leases.count).toBe(3);
    expect((await admin.post('/api/users/maria', change)).status).toBe(200);
    for (const stream of streams.slice(0, 2)) await expect(stream.text()).rejects.toThrow();
    expect(logins.gateway.leases.count).toBe(1);
    await streams[2]?.body?.cancel();
  });

  it('of a token ends when the token is revoked, and of every session when its owner signs out everywhere', async () => {
    const { browser } = await signIn();
    const { token, id } = (await admin.post('/api/tokens', { name: 'ci' })).body;
    const ofToken = await open({ authorization: `Bearer ${token}` });
    await admin.post(`/api/tokens/${id}/revoke`);
    await expect(ofToken.text()).rejects.toThrow();
    const ofSessions = [await open({ cookie: browser.cookie ?? '' }), await open({ cookie: admin.cookie ?? '' })];
    await admin.post('/api/logout', { everywhere: true });
    for (const stream of ofSessions) await expect(stream.text()).rejects.toThrow();
  });
});

describe('a password', () => {
  it('is changed by its owner, which ends the other sessions', async () => {
    const { browser } = await signIn();
    const next = 'another horse battery';
    expect((await browser.post('/api/password', { current: 'wrong horse battery', next })).status).toBe(403);
    expect((await browser.post('/api/password', { current: password, next: 'short' })).status).toBe(400);
    expect((await browser.post('/api/password', { current: password, next: password })).status).toBe(400);
    expect((await browser.post('/api/password', { current: password, next })).status).toBe(200);
    expect(await Promise.all([isIn(browser), isIn(admin)])).toEqual([true, false]);
    expect((await signIn()).answer.status).toBe(401);
    expect((await signIn('root', next)).answer.status).toBe(200);
  });

  it('of somebody else’s making opens nothing but its change', async () => {
    const { body } = await admin.post('/api/users', { name: 'maria', role: 'operator' });
    const { browser } = await signIn('maria', body.password);
    expect((await browser.get('/api/session')).body).toMatchObject({ mustChangePassword: true });
    const refused = await browser.get('/api/trpc/status.get');
    expect(refused).toMatchObject({ status: 403, body: { details: { mustChangePassword: true } } });
    expect((await browser.post('/api/tokens', { name: 'ci' })).status).toBe(403);
    expect((await browser.post('/api/password', { current: body.password, next: password })).status).toBe(200);
    expect(await isIn(browser)).toBe(true);
  });
});

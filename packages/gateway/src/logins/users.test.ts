import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Browser, type LoginsUnderTest, password, startLogins } from '../testing/test-logins.ts';

let logins: LoginsUnderTest;
let admin: Browser;
beforeEach(async () => {
  logins = await startLogins();
  admin = await logins.admin();
});
afterEach(() => logins.close());

const status = async (browser: Pick<Browser, 'get'>): Promise<number> =>
  (await browser.get('/api/trpc/status.get')).status;

describe('users', () => {
  it('are made by admins, with a password that is shown once', async () => {
    const { status: made, body } = await admin.post('/api/users', { name: 'Maria', role: 'operator' });
    expect(made).toBe(201);
    expect(body).toMatchObject({ name: 'maria', role: 'operator', disabled: false });
    expect(body.password).toMatch(/^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/u);
    const list = (await admin.get('/api/users')).body;
    expect(list).toMatchObject([{ name: 'maria' }, { name: 'root', role: 'admin', sessions: 1 }]);
    expect(JSON.stringify(list)).not.toContain(body.password);
    expect((await admin.post('/api/users', { name: 'maria', role: 'viewer' })).status).toBe(409);
    expect((await admin.post('/api/users', { name: '../x', role: 'viewer' })).status).toBe(400);
    expect((await admin.post('/api/users', { name: 'x', role: 'god' })).status).toBe(400);
    expect((await admin.post('/api/users', { name: 'x', role: 'viewer', password: 'short' })).status).toBe(400);
  });

  it.each(['viewer', 'operator'])('are no business of a %s', async (role) => {
    const user = await logins.user(admin, 'maria', role);
    const id = (await user.get('/api/session')).body.user.id;
    for (const answer of [
      await user.get('/api/users'),
      await user.get('/api/users/log'),
      await user.post('/api/users', { name: 'eve', role: 'admin' }),
      await user.post(`/api/users/${id}`, { role: 'admin' }),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.body.message).toMatch(/needs the role admin; maria has/u);
    }
    expect((await admin.get('/api/users/log')).body[0]).toMatchObject({
      actor: 'maria',
      act: 'users.change',
      result: 'not-permitted',
    });
    expect((await user.get('/api/session')).body.role).toBe(role);
  });

  it('lose everything at once when they are disabled', async () => {
    const maria = await logins.user(admin, 'maria', 'operator');
    const { token } = (await maria.post('/api/tokens', { name: 'ci', role: 'operator' })).body;
    const script = logins.withToken(token);
    expect(await Promise.all([status(maria), status(script)])).toEqual([200, 200]);
    expect((await admin.post('/api/users/maria', { disabled: true })).body).toMatchObject({ disabled: true });
    expect(await Promise.all([status(maria), status(script)])).toEqual([401, 401]);
    expect((await logins.browser().post('/api/login', { name: 'maria', password })).status).toBe(401);
    await admin.post('/api/users/maria', { disabled: false });
    expect((await logins.browser().post('/api/login', { name: 'maria', password })).status).toBe(200);
  });

  it('have their new role at the next request', async () => {
    const maria = await logins.user(admin, 'maria', 'operator');
    await status(maria);
    expect(logins.agent.asked.at(-1)?.claims.role).toBe('operator');
    await admin.post('/api/users/maria', { role: 'viewer' });
    await status(maria);
    expect(logins.agent.asked.at(-1)?.claims.role).toBe('viewer');
  });

  it('get a new password from an admin, which ends their sessions', async () => {
    const maria = await logins.user(admin, 'maria', 'operator');
    const { body } = await admin.post('/api/users/maria', { resetPassword: true });
    expect(body).toMatchObject({ mustChangePassword: true, password: expect.any(String) });
    expect(await status(maria)).toBe(401);
    expect((await maria.post('/api/login', { name: 'maria', password: body.password })).body).toMatchObject({
      mustChangePassword: true,
    });
  });

  it('get in with a new password at once, however much was guessed at the old one', async () => {
    await logins.user(admin, 'maria', 'operator');
    const guess = () => logins.browser().post('/api/login', { name: 'maria', password: 'wrong horse battery' });
    for (let n = 0; n < 6; n += 1) await guess();
    expect((await guess()).status).toBe(429);
    const { body } = await admin.post('/api/users/maria', { resetPassword: true });
    expect((await logins.browser().post('/api/login', { name: 'maria', password: body.password })).status).toBe(200);
  });

  it('never lose their last admin', async () => {
    for (const change of [{ role: 'viewer' }, { disabled: true }])
      expect((await admin.post('/api/users/root', change)).status).toBe(409);
    await logins.user(admin, 'maria', 'admin');
    expect((await admin.post('/api/users/root', { role: 'viewer' })).status).toBe(200);
    expect((await admin.get('/api/users')).status).toBe(403);
  });

  it('that are not there are not found', async () => {
    expect((await admin.post('/api/users/nobody', { disabled: true })).status).toBe(404);
  });
});

describe('a token', () => {
  const make = (browser: Browser, body: unknown) => browser.post('/api/tokens', body);

  it('is shown once and asks with its own name', async () => {
    const { status: made, body } = await make(admin, { name: 'ci', role: 'viewer', days: 7 });
    expect(made).toBe(201);
    expect(body.token).toMatch(/^skt_[A-Za-z0-9_-]{43}$/u);
    expect(JSON.stringify((await admin.get('/api/tokens')).body)).not.toContain(body.token);
    expect(await status(logins.withToken(body.token))).toBe(200);
    expect(logins.agent.asked.at(-1)?.claims).toMatchObject({
      name: 'root (token ci)',
      role: 'viewer',
      sid: `token:${body.id}`,
    });
  });

  it('has never more than the role of its owner, neither when it is made nor when it is used', async () => {
    const maria = await logins.user(admin, 'maria', 'operator');
    expect((await make(maria, { name: 'x', role: 'admin' })).status).toBe(403);
    const { token } = (await make(maria, { name: 'x', role: 'operator' })).body;
    await admin.post('/api/users/maria', { role: 'viewer' });
    await status(logins.withToken(token));
    expect(logins.agent.asked.at(-1)?.claims.role).toBe('viewer');
    await admin.post('/api/users/maria', { role: 'admin' });
    await status(logins.withToken(token));
    expect(logins.agent.asked.at(-1)?.claims.role).toBe('operator');
  });

  it('ends at its time, and when it is revoked', async () => {
    const short = (await make(admin, { name: 'short', days: 1 })).body;
    const long = (await make(admin, { name: 'long', days: 30 })).body;
    logins.passes(25 * 3_600_000);
    expect(await Promise.all([status(logins.withToken(short.token)), status(logins.withToken(long.token))])).toEqual([
      401, 200,
    ]);
    await admin.post('/api/login', { name: 'root', password });
    expect((await admin.post(`/api/tokens/${long.id}/revoke`)).status).toBe(200);
    expect((await admin.post(`/api/tokens/${long.id}/revoke`)).status).toBe(404);
    expect(await status(logins.withToken(long.token))).toBe(401);
  });

  it('makes no tokens, ends no sessions and changes no password', async () => {
    const { token } = (await make(admin, { name: 'x', role: 'admin' })).body;
    const script = logins.withToken(token);
    for (const [path, body] of [
      ['/api/tokens', { name: 'y' }],
      ['/api/logout', {}],
      ['/api/password', { current: password, next: 'another horse battery' }],
      ['/api/session/touch', {}],
    ] as const)
      expect((await script.post(path, body)).status).toBe(403);
  });

  it('of an admin manages users, for the command line', async () => {
    const { token } = (await make(admin, { name: 'x', role: 'admin' })).body;
    const script = logins.withToken(token);
    expect((await script.post('/api/users', { name: 'maria', role: 'viewer' })).status).toBe(201);
    expect((await script.get('/api/users')).body).toHaveLength(2);
  });

  it('of somebody else is revoked by an admin alone', async () => {
    const maria = await logins.user(admin, 'maria', 'operator');
    const eve = await logins.user(admin, 'eve', 'operator');
    const { id } = (await make(maria, { name: 'x' })).body;
    expect((await eve.post(`/api/tokens/${id}/revoke`)).status).toBe(404);
    expect((await eve.get('/api/tokens?all=1')).body).toEqual([]);
    expect((await admin.get('/api/tokens?all=1')).body).toMatchObject([{ id, owner: 'maria' }]);
    expect((await admin.post(`/api/tokens/${id}/revoke`)).status).toBe(200);
  });

  it('is one of a bounded number that live, and of those that ended not all are kept', async () => {
    for (let n = 0; n < 50; n += 1) expect((await make(admin, { name: `t${n}`, days: 1 })).status).toBe(201);
    expect((await make(admin, { name: 'one-more' })).status).toBe(409);
    logins.passes(25 * 3_600_000);
    await admin.post('/api/login', { name: 'root', password });
    for (let n = 0; n < 60; n += 1) {
      const { id } = (await make(admin, { name: `u${n}` })).body;
      await admin.post(`/api/tokens/${id}/revoke`);
    }
    const { body: last } = await make(admin, { name: 'last' });
    const kept: { id: string; name: string }[] = (await admin.get('/api/tokens')).body;
    expect(kept).toHaveLength(100);
    expect(kept.some(({ id }) => id === last.id)).toBe(true);
  });

  it('that is wrong is nobody, even beside a good cookie', async () => {
    const headers = { authorization: `Bearer skt_${'x'.repeat(43)}`, cookie: admin.cookie ?? '' };
    expect((await fetch(`${logins.gateway.url}/api/trpc/status.get`, { headers })).status).toBe(401);
  });
});

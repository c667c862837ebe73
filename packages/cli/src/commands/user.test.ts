import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUserAdministration } from '@setkeeper/gateway';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setkeeper-user-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('user, as root on the host of the gateway', () => {
  it('makes, lists, disables and enables users in the store that gateway.yaml names', async () => {
    const store = join(folder, 'gateway.db');
    const config = join(folder, 'gateway.yaml');
    writeFileSync(config, `store: ${store}\nagents: [{ name: a, socket: /s }]\n`);
    (await openUserAdministration(store)).close();
    const user = (...words: string[]) => runCli(['user', ...words, '--config', config], { loginUser: 'maria' });

    const made = await user('add', 'root', '--role', 'admin', '--json');
    expect(made.json()).toMatchObject({
      name: 'root',
      role: 'admin',
      mustChangePassword: true,
      password: expect.any(String),
    });
    expect((await user('add', 'root', '--role', 'admin')).exitCode).toBe(3);
    expect((await user('add', '-F', '--role', 'admin')).exitCode).toBe(2);
    expect((await user('add', 'a b', '--role', 'admin')).exitCode).toBe(2);
    expect((await user('add', 'x')).exitCode).toBe(2);
    expect((await user('add', 'vera', '--role', 'viewer')).stdout).toMatch(/^vera \(viewer\) made\npassword: \S+\n$/u);
    expect((await user('disable', 'vera')).stdout).toBe('vera (viewer) disabled\n');
    expect((await user('list', '--json')).json()).toMatchObject([{ name: 'root' }, { name: 'vera', disabled: true }]);
    expect((await user('enable', 'vera', '--json')).json()).toMatchObject({ disabled: false });
    expect((await user('role', 'vera', '--role', 'operator', '--json')).json()).toMatchObject({ role: 'operator' });
    expect((await user('reset-password', 'vera', '--json')).json()).toMatchObject({ password: expect.any(String) });
    expect((await user('disable', 'root')).exitCode).toBe(3);
    expect((await user('disable', 'nobody')).exitCode).toBe(2);
  });

  it('says what to do where there is no store', async () => {
    const result = await runCli(['user', 'list', '--store', join(folder, 'none.db')]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('--store');
  });
});

describe('user, by a gateway', () => {
  let server: Server;
  let url: string;
  const asked: unknown[] = [];
  beforeEach(async () => {
    asked.length = 0;
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      asked.push([request.method, request.url, request.headers.authorization, body]);
      const isAdmin = request.headers.authorization === `Bearer skt_${'a'.repeat(43)}`;
      const refusal = { code: 'not-permitted', message: 'users.list needs the role admin', requestId: 'r1' };
      response.writeHead(isAdmin ? 200 : 403, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isAdmin ? { id: '1', name: 'vera', role: 'viewer', disabled: false, mustChangePassword: true } : refusal,
        ),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  });
  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('sends what is asked with the token', async () => {
    const token = join(folder, 'token');
    writeFileSync(token, `skt_${'a'.repeat(43)}\n`);
    const result = await runCli(['user', 'disable', 'vera', '--url', url, '--token-file', token, '--json']);
    expect(result.json()).toMatchObject({ name: 'vera' });
    expect(asked).toEqual([['POST', '/api/users/vera', `Bearer skt_${'a'.repeat(43)}`, '{"disabled":true}']]);
  });

  it('exits 5 for a role that is too weak', async () => {
    const result = await runCli(['user', 'list', '--url', url]);
    expect(result.exitCode).toBe(5);
    expect(result.stderr).toContain('users.list needs the role admin');
  });
});

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { type FakeAgent, startFakeAgent, testSigningKey } from '../testing/fake-agent.ts';
import { findUser } from './unix-accounts.ts';

/** A group that no account of the machine has, as that of an agent's socket. */
const socketGroup = 54_321;
const program = join(import.meta.dirname, '../entry/gateway.ts');

interface LogRecord {
  readonly msg: string;
  readonly url?: string;
}

describe('a gateway that root starts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setkeeper-root-'));
  const store = join(folder, 'store', 'gateway.db');
  let agent: FakeAgent;
  let gateway: ChildProcessByStdio<null, Readable, null>;
  let url: string;
  let status: string;

  beforeAll(async () => {
    const key = testSigningKey();
    agent = await startFakeAgent(key);
    // What an agent does: the socket is for root and one group, in a folder that everybody may pass through.
    chownSync(agent.socket, 0, socketGroup);
    chmodSync(agent.socket, 0o660);
    chmodSync(join(agent.socket, '..'), 0o755);
    const pem = join(folder, 'key.pem');
    writeFileSync(pem, key.key.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
    mkdirSync(join(folder, 'console'));
    writeFileSync(join(folder, 'console', 'index.html'), '<p>overview</p>');
    const config = join(folder, 'gateway.yaml');
    const settings = {
      listen: '127.0.0.1:0',
      logins: 'on',
      agents: [{ name: 'node-a', socket: agent.socket }],
      store,
      signingKey: { file: pem, kid: 'test' },
      console: join(folder, 'console'),
    };
    writeFileSync(config, stringify(settings), { mode: 0o600 });
    // Nobody but root may look into any of this.
    chmodSync(folder, 0o700);
    gateway = spawn(process.execPath, ['--import', 'tsx', program, '--config', config], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: gateway.stdout })) {
      const record = JSON.parse(line) as LogRecord;
      if (record.url === undefined) continue;
      url = record.url;
      break;
    }
    status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8');
  });
  afterAll(async () => {
    gateway.kill('SIGTERM');
    await new Promise((resolve) => gateway.once('exit', resolve));
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('runs as another user, with the group of the socket and no other', () => {
    const user = findUser(['setkeeper-gateway', 'nobody']);
    expect(status).toMatch(new RegExp(`^Uid:\\s+${user?.uid}\\s+${user?.uid}\\s+${user?.uid}\\s`, 'mu'));
    expect(status).toMatch(new RegExp(`^Gid:\\s+${user?.gid}\\s+${user?.gid}\\s+${user?.gid}\\s`, 'mu'));
    expect(/^Groups:\s*(.*?)\s*$/mu.exec(status)?.[1]).toBe(String(socketGroup));
  });

  it('has no capability left', () => {
    for (const set of ['CapPrm', 'CapEff', 'CapAmb']) expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'mu'));
  });

  it('still reaches the agent and serves the console', async () => {
    const post = (path: string, body: unknown, cookie = '') =>
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', cookie },
      });
    const code = readFileSync(join(folder, 'store', 'first-admin-code'), 'utf8').trim();
    const made = await post('/api/first-admin', { code, name: 'maria', password: 'correct horse battery' });
    const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await fetch(`${url}/api/trpc/status.get`, { headers: { cookie } })).status).toBe(200);
    // The store can be written for as long as the gateway runs, though nobody but root may pass through the folder above.
    for (let n = 0; n < 50; n += 1) expect((await post('/api/session/touch', {}, cookie)).status).toBe(200);
    expect(await (await fetch(url)).text()).toBe('<p>overview</p>');
  });

  it('owns its store, and nothing else in the folder above', () => {
    expect(statSync(join(folder, 'store')).uid).toBe(findUser(['setkeeper-gateway', 'nobody'])?.uid);
    expect(statSync(join(folder, 'key.pem')).uid).toBe(0);
  });
});

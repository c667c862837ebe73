import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Agent, fetch } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { parseGatewayConfig } from './config/load-config.ts';
import { type RunningGateway, runGateway } from './run-gateway.ts';
import { type FakeAgent, startFakeAgent, testSigningKey } from './testing/fake-agent.ts';
import { testCertificate } from './testing/test-certificate.ts';

let folder: string;
let agent: FakeAgent;
let gateway: RunningGateway | undefined;
const lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
const key = testSigningKey();

beforeEach(async () => {
  lines.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'setkeeper-run-'));
  agent = await startFakeAgent(key);
  writeFileSync(join(folder, 'key.pem'), key.key.export({ format: 'pem', type: 'pkcs8' }));
  writeFileSync(join(folder, 'c.pem'), testCertificate.cert);
  writeFileSync(join(folder, 'k.pem'), testCertificate.key);
});
afterEach(async () => {
  await gateway?.stop();
  gateway = undefined;
  await agent.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a gateway that keeps the rights of the test: giving them up would be for the whole process. */
async function start(settings: object): Promise<RunningGateway> {
  const config = parseGatewayConfig(
    stringify({
      listen: '127.0.0.1:0',
      agents: [{ name: 'node-a', socket: agent.socket }],
      store: join(folder, 'gateway.db'),
      console: join(folder, 'console'),
      signingKey: { file: join(folder, 'key.pem'), kid: 'test' },
      ...settings,
    }),
    'gateway.yaml',
  );
  gateway = await runGateway(config, { log, version: '0.0.0-test', keepsPrivileges: true });
  return gateway;
}

describe('a gateway with TLS', () => {
  const origin = 'https://localhost';
  const settings = { tls: { cert: '', key: '' }, origins: [origin], logins: 'on' };
  beforeEach(() => {
    settings.tls = { cert: join(folder, 'c.pem'), key: join(folder, 'k.pem') };
  });

  function post(port: number, path: string, body: unknown): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { host: 'localhost', origin, 'content-type': 'application/json' };
      request(
        {
          host: '127.0.0.1',
          servername: 'localhost',
          port,
          path,
          method: 'POST',
          headers,
          rejectUnauthorized: false,
          agent: false,
        },
        (response) => {
          response.resume();
          resolve(response);
        },
      )
        .on('error', reject)
        .end(JSON.stringify(body));
    });
  }

  it('binds its cookie to this host and tells browsers to stay with TLS', async () => {
    const { port } = await start(settings);
    const code = readFileSync(join(folder, 'first-admin-code'), 'utf8').trim();
    const response = await post(port, '/api/first-admin', { code, name: 'maria', password: 'correct horse battery' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['set-cookie']?.[0]).toMatch(/^__Host-setkeeper-\w{8}=.*; Secure$/u);
    expect(response.headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('says no word without it', async () => {
    const { port } = await start(settings);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve(text));
      socket.write('GET /api/session HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
    expect(answer).not.toContain('200 OK');
    expect(answer).not.toContain('loginsEnabled');
  });
});

describe('a start', () => {
  it('says where the one-time code is, and never the code', async () => {
    await start({ logins: 'on' });
    const code = readFileSync(join(folder, 'first-admin-code'), 'utf8').trim();
    expect(lines.join('')).toContain('first-admin-code');
    expect(lines.join('')).not.toContain(code);
  });

  it('says so where there are no logins', async () => {
    const { url } = await start({ logins: 'off' });
    expect(lines.join('')).toContain('is the operator');
    expect(await (await fetch(`${url}/api/session`, { dispatcher: new Agent() })).json()).toMatchObject({
      role: 'operator',
    });
  });

  it('says what is wrong with a taken port and with a key that is none', async () => {
    const { port } = await start({ logins: 'off' });
    const first = gateway;
    await expect(start({ logins: 'off', listen: `127.0.0.1:${port}` })).rejects.toThrow(/is taken by another program/u);
    gateway = first;
    writeFileSync(join(folder, 'key.pem'), testCertificate.key);
    await expect(start({ logins: 'off' })).rejects.toThrow(/not ed25519.*openssl genpkey/u);
    gateway = first;
  });

  it('keeps its users over a restart, and makes no new code then', async () => {
    const { url } = await start({ logins: 'on' });
    const code = readFileSync(join(folder, 'first-admin-code'), 'utf8').trim();
    const post = (at: string, path: string, body: unknown) =>
      fetch(at + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    await post(url, '/api/first-admin', { code, name: 'maria', password: 'correct horse battery' });
    await gateway?.stop();
    const again = await start({ logins: 'on' });
    expect(existsSync(join(folder, 'first-admin-code'))).toBe(false);
    expect((await post(again.url, '/api/login', { name: 'maria', password: 'correct horse battery' })).status).toBe(
      200,
    );
  });
});

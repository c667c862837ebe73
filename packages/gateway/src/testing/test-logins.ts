import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAccountStore } from '../logins/account-store.ts';
import { createLogins } from '../logins/create-logins.ts';
import type { PasswordHashing } from '../logins/login-library.ts';
import { type FakeAgent, startFakeAgent, testSigningKey } from './fake-agent.ts';
import { startTestGateway, type TestGateway } from './test-gateway.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const limits = { idleMs: 30 * minute, absoluteMs: 12 * hour };

/** What a browser or a script gets. */
export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into any shape
  readonly body: any;
  readonly headers: Headers;
}

/** A browser: it keeps the cookie. */
export interface Browser {
  cookie: string | undefined;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
}

/** A gateway with logins, whose clock a test moves, in front of an agent. */
export interface LoginsUnderTest {
  readonly gateway: TestGateway;
  readonly agent: FakeAgent;
  readonly store: string;
  readonly codeFile: string;
  code(): string;
  browser(): Browser;
  withToken(token: string): Pick<Browser, 'get' | 'post'>;
  /** The first admin `root` with `password`, signed in. */
  admin(): Promise<Browser>;
  /** Another user, signed in with a password of their own. */
  user(admin: Browser, name: string, role: string): Promise<Browser>;
  passes(ms: number): void;
  close(): Promise<void>;
}

/** No protection at all, and no time either. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const quickHashing: PasswordHashing = {
  hash: async (text) => digest(text),
  verify: async ({ hash, password }) => hash === digest(password),
};

export const password = 'correct horse battery';

/** Starts one with an empty store. */
export async function startLogins(
  answer?: Parameters<typeof startFakeAgent>[1],
  hashing: PasswordHashing | undefined = quickHashing,
): Promise<LoginsUnderTest> {
  const folder = mkdtempSync(join(tmpdir(), 'setkeeper-logins-'));
  const store = join(folder, 'gateway.db');
  const key = testSigningKey();
  const agent = await startFakeAgent(key, answer);
  let ahead = 0;
  const gateway = await startTestGateway(key, [{ name: 'node-a', socket: agent.socket }], {
    logins: (o) =>
      createLogins({
        ...o,
        database: openAccountStore(store),
        store,
        signingKey: key,
        limits,
        isEncrypted: false,
        now: () => Date.now() + ahead,
        ...(hashing === undefined ? {} : { hashing }),
      }),
  });
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const response = await fetch(gateway.url + path, init);
    const text = await response.text();
    return {
      status: response.status,
      body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text,
      headers: response.headers,
    };
  };
  const json = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
  const browser = (): Browser => {
    const made: Browser = {
      cookie: undefined,
      get: (path) => ask(path, { headers: made.cookie === undefined ? {} : { cookie: made.cookie } }),
      async post(path, body = {}) {
        const headers: Record<string, string> = {
          'content-type': 'application/json',
          origin: gateway.url,
          'sec-fetch-site': 'same-origin',
          ...(made.cookie === undefined ? {} : { cookie: made.cookie }),
        };
        const answered = await ask(path, { ...json(body), headers });
        const set = answered.headers.get('set-cookie');
        if (set !== null) made.cookie = set.includes('Max-Age=0') ? undefined : set.split(';')[0];
        return answered;
      },
    };
    return made;
  };
  const codeFile = join(folder, 'first-admin-code');
  const under: LoginsUnderTest = {
    gateway,
    agent,
    store,
    codeFile,
    code: () => readFileSync(codeFile, 'utf8').trim(),
    browser,
    withToken: (token) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      return {
        get: (path) => ask(path, { headers }),
        post: (path, body = {}) => ask(path, { ...json(body), headers }),
      };
    },
    async admin() {
      const admin = browser();
      await admin.post('/api/first-admin', { code: under.code(), name: 'root', password });
      return admin;
    },
    async user(admin, name, role) {
      const { body } = await admin.post('/api/users', { name, role });
      const made = browser();
      await made.post('/api/login', { name, password: body.password });
      await made.post('/api/password', { current: body.password, next: password });
      return made;
    },
    passes: (ms) => {
      ahead += ms;
    },
    async close() {
      await gateway.close();
      await agent.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return under;
}

import { connect } from 'node:net';
import {
  ApiError,
  accountEventsMax,
  accountEventsPath,
  gatewaySubject,
  mayAsk,
  type Role,
  verbs,
} from '@setkeeper/api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiBench } from './testing/api-bench.ts';

const dataOf = (text: string) => JSON.parse(text).error.data;
/** Requests of any bytes, half on each socket. */
const MALFORMED = 10_000;
const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

describe('the roles of verbs', () => {
  it('are enforced for every verb and role, and a refusal names verb and role', async () => {
    const bench = await apiBench();
    const walked = { asked: 0, allowed: 0, refused: 0 };
    for (const verb of Object.values(verbs)) {
      const asked =
        verb.kind === 'query'
          ? { path: `/api/trpc/${verb.name}` }
          : { method: 'POST', path: `/api/trpc/${verb.name}`, body: '{}' };
      for (const role of ROLES) {
        const { status, text } = await bench.askAs(role, asked);
        walked.asked += 1;
        if (mayAsk(role, verb)) {
          walked.allowed += 1;
          expect([200, 400], `${verb.name} as ${role}: ${text}`).toContain(status);
        } else {
          walked.refused += 1;
          expect(status, `${verb.name} as ${role}`).toBe(403);
          expect(dataOf(text)).toMatchObject({ code: 'not-permitted', subject: verb.name });
          expect(dataOf(text).message).toContain(`${verb.name} needs the role ${verb.role}`);
          if (verb.kind === 'mutation') expect(bench.audited.at(-1)).toBe(`refuse ${verb.name} not-permitted`);
        }
      }
      const nameless = await bench.ask(bench.group, asked);
      expect(nameless.status, `${verb.name} without identity`).toBe(401);
      expect(dataOf(nameless.text).code).toBe('unauthenticated');
    }
    const count = Object.keys(verbs).length;
    expect(walked.asked).toBe(count * ROLES.length);
    console.info(
      `role walk: ${count} verbs as ${ROLES.join(', ')} and nobody: ${walked.allowed} allowed, ${walked.refused} refused by role, ${count} refused without identity`,
    );
  });

  it('are refused on the event stream, too, with a status and not inside the stream', async () => {
    const bench = await apiBench();
    expect((await bench.ask(bench.group, { path: '/api/trpc/events.watch' })).status).toBe(401);
  });

  it('are admin on the admin socket, whose claimed login user is in the audit', async () => {
    const bench = await apiBench();
    const { status } = await bench.ask(bench.admin, {
      method: 'POST',
      path: '/api/trpc/holds.remove',
      body: '{}',
      headers: { 'x-setkeeper-claimed': 'ma\u00e9ria' },
    });
    expect(status).toBe(200);
    expect(bench.audited).toEqual(['begin holds.remove ma??ria', 'finish done']);
  });
});

describe('an act', () => {
  it('is not done by a statement for another request, and the refusal is in the audit', async () => {
    const bench = await apiBench();
    const body = '{}';
    const statement = await bench.signer.sign({
      now: Date.now() / 1000,
      request: { method: 'POST', path: '/api/trpc/holds.remove', body },
    });
    const headers = { authorization: `Bearer ${statement}` };
    const other = await bench.ask(bench.group, { method: 'POST', path: '/api/trpc/pins.remove', body, headers });
    expect(other.status).toBe(401);
    expect(bench.audited).toEqual(['refuse pins.remove unauthenticated']);
    const right = { method: 'POST', path: '/api/trpc/holds.remove', body, headers };
    expect((await bench.ask(bench.group, right)).status).toBe(200);
    expect((await bench.ask(bench.group, right)).status).toBe(401);
  });

  it('of no verb is in the audit without the words that somebody put into the address', async () => {
    const bench = await apiBench();
    for (const path of [
      '/api/trpc/my-pass-phrase',
      '/api/trpc/pins.add,my-pass-phrase',
      '/api/lease',
      '/api/trpc/pins.add',
    ])
      expect((await bench.ask(bench.group, { method: 'POST', path, body: '{}' })).status, path).toBe(401);
    expect(bench.audited).toEqual(
      ['(no such verb)', '(no such verb)', '/api/lease', 'pins.add'].map((verb) => `refuse ${verb} unauthenticated`),
    );
  });

  it('is never done by a GET', async () => {
    const bench = await apiBench();
    expect((await bench.ask(bench.admin, { path: '/api/trpc/holds.remove' })).status).not.toBe(200);
    expect(bench.audited).toEqual([]);
  });
});

describe('what happened to accounts', () => {
  const event = {
    id: 1,
    at: '2026-06-01T12:00:00.000Z',
    actor: 'joe',
    role: 'viewer',
    proved: true,
    act: 'sign-in',
    subject: '',
    address: '::1',
    result: 'done',
  };
  const report = async (
    bench: Awaited<ReturnType<typeof apiBench>>,
    sub: string,
    body: string,
    role: Role = 'viewer',
  ) => {
    const request = { method: 'POST', path: accountEventsPath, body };
    const statement = await bench.signer.sign({ now: Date.now() / 1000, role, claims: { sub }, request });
    return bench.ask(bench.group, { ...request, headers: { authorization: `Bearer ${statement}` } });
  };

  it('comes into the audit from a gateway that speaks for itself', async () => {
    const bench = await apiBench();
    const { status, text } = await report(
      bench,
      gatewaySubject,
      JSON.stringify({ events: [event, { ...event, id: 2 }] }),
    );
    expect([status, JSON.parse(text)]).toEqual([200, { taken: 2 }]);
    expect(bench.audited).toEqual(['account sign-in joe by gateway-1', 'account sign-in joe by gateway-1']);
  });

  it('is not taken from a user, however mighty, nor from root, nor in another shape or number', async () => {
    const bench = await apiBench();
    const good = JSON.stringify({ events: [event] });
    expect((await report(bench, 'user-1', good, 'admin')).status).toBe(403);
    expect((await bench.ask(bench.group, { method: 'POST', path: accountEventsPath, body: good })).status).toBe(401);
    expect((await bench.ask(bench.admin, { method: 'POST', path: accountEventsPath, body: good })).status).toBe(404);
    for (const body of ['{', '[]', JSON.stringify({ events: [{ ...event, act: 'Bad Act' }] })])
      expect((await report(bench, gatewaySubject, body)).status, body).toBe(400);
    const tooMany = JSON.stringify({ events: Array(accountEventsMax + 1).fill(event) });
    expect((await report(bench, gatewaySubject, tooMany)).status).toBe(400);
    expect(bench.audited.filter((line) => line.startsWith('account'))).toEqual([]);
  });
});

describe('a failure', () => {
  it('of a handler says nothing of its inside', async () => {
    const bench = await apiBench({
      'status.get': () => {
        throw new Error('ipset -F /etc/secret');
      },
    });
    const { status, text } = await bench.ask(bench.admin, { path: '/api/trpc/status.get' });
    expect(status).toBe(500);
    expect(text).not.toMatch(/secret|\bat \w+ \(|stack/u);
    expect(dataOf(text).requestId).toMatch(/^[0-9a-f-]{36}$/u);
  });

  it('that was expected has its code, status, remedy and details', async () => {
    const bench = await apiBench({
      'plan.apply': () => {
        throw new ApiError('digest-stale', 'The plan changed.', { remedy: 'Look again.', details: { digest: 'x' } });
      },
    });
    const { status, text } = await bench.ask(bench.admin, { method: 'POST', path: '/api/trpc/plan.apply', body: '{}' });
    expect(status).toBe(409);
    expect(dataOf(text)).toMatchObject({ code: 'digest-stale', remedy: 'Look again.', details: { digest: 'x' } });
    expect(bench.audited.at(-1)).toBe('finish digest-stale');
  });
});

describe('requests that are no good', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof apiBench>>['ask']>[1], number]>([
    ['another address', { path: '/etc/passwd' }, 404],
    ['an unknown verb', { path: '/api/trpc/sets.drop' }, 404],
    ['a prototype as a verb', { path: '/api/trpc/__proto__' }, 404],
    ['another method', { method: 'DELETE', path: '/api/trpc/status.get' }, 404],
    [
      'a form',
      {
        method: 'POST',
        path: '/api/trpc/holds.remove',
        body: 'a=b',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      415,
    ],
    [
      'a multipart body',
      {
        method: 'POST',
        path: '/api/trpc/holds.remove',
        body: '--a',
        headers: { 'content-type': 'multipart/form-data; boundary=a' },
      },
      415,
    ],
    [
      'bytes',
      {
        method: 'POST',
        path: '/api/trpc/holds.remove',
        body: 'x',
        headers: { 'content-type': 'application/octet-stream' },
      },
      415,
    ],
    ['text that is no JSON', { method: 'POST', path: '/api/trpc/holds.remove', body: '{' }, 400],
    ['an input that does not fit', { method: 'POST', path: '/api/trpc/pins.add', body: '{"group":1}' }, 400],
    [
      'a body above the limit',
      { method: 'POST', path: '/api/trpc/holds.remove', body: `"${'x'.repeat(1024 * 1024)}"` },
      413,
    ],
    ['too many calls in one', { path: `/api/trpc/${Array(60).fill('status.get').join(',')}?batch=1` }, 400],
    ['a broken escape', { path: '/api/trpc/%E0%A4%A' }, 400],
  ])('%s', async (_what, asked, status) => {
    const bench = await apiBench();
    const answer = await bench.ask(bench.admin, asked);
    expect(answer.status, answer.text).toBe(status);
    const { code, requestId } = dataOf(answer.text);
    expect([code, requestId]).toEqual([expect.any(String), expect.any(String)]);
    expect(answer.text).not.toMatch(/node_modules|\.ts:/u);
  });

  it('have no body in the answer where none may be, and are no server error', async () => {
    const bench = await apiBench();
    for (const path of ['/api/trpc/status.get', '/api/trpc/holds.remove'])
      expect(await bench.ask(bench.admin, { method: 'HEAD', path }), path).toMatchObject({ status: 404, text: '' });
    expect(bench.audited).toEqual([]);
  });

  it('because of a host name that is none are answered all the same: on a socket no name means anything', async () => {
    const bench = await apiBench();
    for (const host of ['1\u00a57Y0.0.1', ':::', '[', ''])
      expect((await bench.ask(bench.admin, { path: '/api/trpc/status.get', headers: { host } })).status, host).toBe(
        200,
      );
  });

  it('do not stop it from answering good ones', async () => {
    const bench = await apiBench();
    const throwAt = (socket: string, bytes: Uint8Array): Promise<void> =>
      new Promise((resolve) => {
        const connection = connect(socket, () => connection.end(bytes));
        connection.on('error', () => {});
        connection.on('close', () => resolve());
        connection.resume();
      });
    const started = fc.sample(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc
          .tuple(fc.constantFrom('GET', 'POST', 'PUT', 'get', ''), fc.webPath(), fc.string(), fc.json())
          .map(([method, path, header, body]) =>
            Buffer.from(
              `${method} /api/trpc${path} HTTP/1.1\r\nhost: a\r\n${header}: b\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
            ),
          ),
      ),
      { numRuns: MALFORMED / 2, seed: 7 },
    );
    for (let index = 0; index < started.length; index += 20)
      await Promise.all(
        started.slice(index, index + 20).flatMap((bytes) => [throwAt(bench.group, bytes), throwAt(bench.admin, bytes)]),
      );
    expect((await bench.ask(bench.admin, { path: '/api/trpc/status.get' })).status).toBe(200);
    expect((await bench.askAs('viewer', { path: '/api/trpc/status.get' })).status).toBe(200);
    console.info(`malformed requests at the sockets: ${MALFORMED} tried, every good one after them answered`);
  }, 120_000);
});

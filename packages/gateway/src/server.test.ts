import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { ApiErrorBody } from '@setkeeper/api';
import { afterEach, describe, expect, it } from 'vitest';
import { type AskedRequest, type FakeAgent, startFakeAgent, testSigningKey } from './testing/fake-agent.ts';
import { startTestGateway, type TestGateway } from './testing/test-gateway.ts';

const key = testSigningKey();
let agents: FakeAgent[] = [];
let gateway: TestGateway;
afterEach(async () => {
  await gateway.close();
  await Promise.all(agents.map((agent) => agent.close()));
  agents = [];
});

async function start(
  answer?: Parameters<typeof startFakeAgent>[1],
  o: Parameters<typeof startTestGateway>[2] = {},
): Promise<FakeAgent> {
  const agent = await startFakeAgent(key, answer);
  const other = await startFakeAgent(key);
  agents = [agent, other];
  gateway = await startTestGateway(
    key,
    [
      { name: 'node-a', socket: agent.socket },
      { name: 'node-b', socket: other.socket },
    ],
    o,
  );
  return agent;
}

const json = { 'content-type': 'application/json' };
const refusalOf = async (response: Response) => {
  const body = (await response.json()) as { error: { data: unknown } };
  expect(ApiErrorBody.parse(body.error.data)).toMatchObject({ code: ApiErrorBody.parse(body).code });
  return ApiErrorBody.parse(body);
};

/** Sends what fetch does not let one send. */
function raw(headers: Record<string, string>, path = '/api/trpc/status.get', method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: gateway.port, path, method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

describe('a query', () => {
  it('reaches the first agent with a signed statement of who asks', async () => {
    const agent = await start();
    const response = await fetch(`${gateway.url}/api/trpc/sets.list?input=%7B%22limit%22%3A5%7D`);
    expect(await response.json()).toEqual({ result: { data: 1 } });
    expect(agent.asked[0]).toMatchObject({ method: 'GET', url: '/api/trpc/sets.list?input=%7B%22limit%22%3A5%7D' });
    expect(agent.asked[0]?.claims).toMatchObject({ aud: 'node-a', sub: 'local', name: 'local', role: 'operator' });
  });

  it('reaches a named agent by its own address', async () => {
    await start();
    expect((await fetch(`${gateway.url}/api/hosts/node-b/trpc/status.get`)).status).toBe(200);
    expect(agents[1]?.asked[0]).toMatchObject({ url: '/api/trpc/status.get', claims: { aud: 'node-b' } });
    expect((await fetch(`${gateway.url}/api/hosts/node-c/trpc/status.get`)).status).toBe(404);
  });

  it('passes a batch on as it is', async () => {
    const agent = await start();
    expect((await fetch(`${gateway.url}/api/trpc/status.get,sets.list?batch=1&input=%7B%7D`)).status).toBe(200);
    expect(agent.asked[0]?.url).toBe('/api/trpc/status.get,sets.list?batch=1&input=%7B%7D');
  });

  it('passes errors of the agent on with their status', async () => {
    const error = '{"error":{"message":"m","code":-32600,"data":{"code":"digest-stale"}}}';
    await start((_request, response) => void response.writeHead(409, json).end(error));
    const response = await fetch(`${gateway.url}/api/trpc/plan.get`);
    expect(response.status).toBe(409);
    expect(await response.text()).toBe(error);
  });

  it('does not pass cookies, tokens or forged statements on', async () => {
    const agent = await start();
    await fetch(`${gateway.url}/api/trpc/status.get`, {
      headers: { cookie: 'a=b', authorization: 'Bearer forged', 'x-setkeeper-claimed': 'root' },
    });
    expect(agent.asked[0]?.headers).not.toHaveProperty('cookie');
    expect(agent.asked[0]?.headers).not.toHaveProperty('x-setkeeper-claimed');
    expect(agent.asked[0]?.claims.role).toBe('operator');
  });
});

describe('a mutation', () => {
  const post = (body: string, headers: Record<string, string> = json) =>
    fetch(`${gateway.url}/api/trpc/plan.apply`, { method: 'POST', headers, body });

  it('is bound to its method, path and bytes', async () => {
    const agent = await start();
    expect((await post('{"groups":["tag:wéb"]}')).status).toBe(200);
    expect(agent.asked[0]).toMatchObject({ method: 'POST', body: '{"groups":["tag:wéb"]}' });
  });

  it('never gets one statement twice', async () => {
    const agent = await start();
    await Promise.all([post('{}'), post('{}'), post('{}')]);
    expect(new Set(agent.asked.map(({ claims }) => claims.jti)).size).toBe(3);
  });

  it.each([
    ['text/plain'],
    ['multipart/form-data; boundary=x'],
    ['application/x-www-form-urlencoded'],
    ['application/octet-stream'],
  ])('is JSON, not %s', async (type) => {
    const agent = await start();
    const response = await post('{}', { 'content-type': type });
    expect(response.status).toBe(415);
    expect((await refusalOf(response)).code).toBe('bad-input');
    expect(agent.asked).toEqual([]);
  });

  it('has at most a mebibyte, unless it carries documents', async () => {
    const agent = await start();
    const large = JSON.stringify({ documents: 'x'.repeat(1024 * 1024) });
    expect((await post(large)).status).toBe(413);
    const put = (body: string) => fetch(`${gateway.url}/api/trpc/model.put`, { method: 'POST', headers: json, body });
    expect((await put(large)).status).toBe(200);
    expect((await put(JSON.stringify({ documents: 'x'.repeat(16 * 1024 * 1024) }))).status).toBe(413);
    expect(agent.asked).toHaveLength(1);
  });

  it('has at most a mebibyte also when it does not say how long it is', async () => {
    const agent = await start();
    const status = await new Promise<number>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port: gateway.port,
          path: '/api/trpc/plan.apply',
          method: 'POST',
          headers: { ...json, 'transfer-encoding': 'chunked' },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ x: 'x'.repeat(2 * 1024 * 1024) }));
    });
    expect(status).toBe(413);
    expect(agent.asked).toEqual([]);
  });
});

describe('the fence', () => {
  it('answers 421 for a foreign Host before any handler', async () => {
    const agent = await start();
    expect(await raw({ host: 'evil.example' })).toBe(421);
    expect(await raw({ host: 'evil.example' }, '/api/session')).toBe(421);
    expect(await raw({ host: 'evil.example' }, '/api/nothing')).toBe(421);
    expect(await raw({ host: 'evil.example' }, '/%61pi/trpc/status.get')).toBe(421);
    expect(await raw({ host: 'evil.example' }, '/metrics')).toBe(421);
    expect(await raw({ host: 'evil.example' }, '/metrics#x')).toBe(421);
    expect(await raw({ host: 'evil.example' }, 'http://127.0.0.1/metrics')).toBe(421);
    expect(await raw({ host: 'evil.example' }, '/api/trpc/plan.apply', 'POST')).toBe(421);
    expect(agent.asked).toEqual([]);
  });

  it('answers 403 for a foreign Origin, and says what came and what was expected', async () => {
    const agent = await start();
    const response = await fetch(`${gateway.url}/api/trpc/status.get`, { headers: { origin: 'http://evil.example' } });
    expect(response.status).toBe(403);
    const refusal = await refusalOf(response);
    expect(refusal.details).toEqual({ came: 'http://evil.example', expected: gateway.url });
    expect(await raw({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(agent.asked).toEqual([]);
  });

  it('takes what comes through a tunnel with another port', async () => {
    await start();
    expect(
      await raw({ host: 'localhost:9999', origin: 'http://localhost:9999', 'sec-fetch-site': 'same-origin' }),
    ).toBe(200);
  });

  it('gives the console itself to everybody', async () => {
    await start(undefined, { pages: { 'index.html': '<p>x</p>' } });
    expect(await raw({ host: 'evil.example' }, '/')).toBe(200);
  });

  it('lets nobody past the proxy where there is one', async () => {
    const policy = { isLoopback: false, scheme: 'http', origins: ['https://sets.example.org'] } as const;
    await start(undefined, { server: { policy, isBehindProxy: true } });
    expect(await raw({ host: 'sets.example.org' })).toBe(421);
    await gateway.close();
    await Promise.all(agents.map((agent) => agent.close()));
    await start(undefined, { server: { policy, isBehindProxy: true, isTrustedProxy: () => true } });
    expect(await raw({ host: 'sets.example.org', origin: 'https://sets.example.org' })).toBe(200);
  });
});

describe('what is not listed', () => {
  it.each([
    '/api/trpc/plan.nothing',
    '/api/trpc/__proto__',
    '/api/trpc/status.get,evil',
    '/api/lease',
    '/api',
    '/api/',
    '/api/auth/session',
    '/API/trpc/x',
  ])('is not there: %s', async (path) => {
    const agent = await start();
    expect((await fetch(gateway.url + path)).status).toBe(path === '/API/trpc/x' ? 503 : 404);
    expect(agent.asked).toEqual([]);
  });

  it('takes no other methods', async () => {
    const agent = await start();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect((await fetch(`${gateway.url}/api/trpc/status.get`, { method })).status).toBe(404);
    expect(agent.asked).toEqual([]);
  });
});

describe('the event stream', () => {
  it('comes through at once, message by message', async () => {
    let push: (text: string) => void = () => {};
    await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      push = (text) => response.write(text);
      push('event: connected\ndata: {}\n\n');
    });
    const response = await fetch(`${gateway.url}/api/trpc/events.watch`, { headers: { accept: 'text/event-stream' } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toContain('connected');
    push('data: {"id":"e-1"}\n\n');
    expect((await reader?.read())?.value).toBe('data: {"id":"e-1"}\n\n');
    await reader?.cancel();
  });

  it('is opened with a lease, which is renewed', async () => {
    const agent = await start((asked, response) => {
      if (asked.url === '/api/lease') response.writeHead(200, json).end('{"streams":1}');
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const response = await fetch(`${gateway.url}/api/trpc/events.watch`);
    expect(agent.asked[0]?.claims.lease).toBe(60);
    await gateway.leases.renew();
    expect(agent.asked[1]).toMatchObject({
      method: 'POST',
      url: '/api/lease',
      body: '{}',
      claims: { lease: 60, sid: 'local' },
    });
    await response.body?.cancel();
  });

  it('ends at the agent when the browser leaves', async () => {
    const closed = Promise.withResolvers<void>();
    await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      response.once('close', () => closed.resolve());
    });
    const response = await fetch(`${gateway.url}/api/trpc/events.watch`);
    await response.body?.cancel();
    await closed.promise;
    await expect.poll(() => gateway.leases.count).toBe(0);
  });

  it('ends here and at the agent when its session ends', async () => {
    const agent = await start((asked, response) => {
      if (asked.url === '/api/lease') response.writeHead(200, json).end('{"streams":0}');
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    });
    const response = await fetch(`${gateway.url}/api/trpc/events.watch`);
    await gateway.leases.endSession('local');
    await expect(response.text()).rejects.toThrow();
    expect(agent.asked.at(-1)).toMatchObject({ url: '/api/lease', claims: { lease: 0 } });
  });

  it('passes the last event id on', async () => {
    const agent = await start();
    await fetch(`${gateway.url}/api/trpc/events.watch`, { headers: { 'last-event-id': 'e-7' } });
    expect(agent.asked[0]?.headers['last-event-id']).toBe('e-7');
  });
});

describe('an agent that is gone', () => {
  it('is told with what to do', async () => {
    await start();
    await agents[0]?.close();
    const response = await fetch(`${gateway.url}/api/trpc/status.get`);
    expect(response.status).toBe(502);
    const refusal = await refusalOf(response);
    expect(refusal).toMatchObject({ code: 'agent-unreachable', subject: 'node-a' });
    expect(refusal.remedy).toContain('Start the agent');
  });

  it('that dies while it answers is told too', async () => {
    await start((_request, response) => void response.socket?.destroy());
    expect((await fetch(`${gateway.url}/api/trpc/status.get`)).status).toBe(502);
  });

  it('is asked again as soon as it is back', async () => {
    await start((_request: AskedRequest, response) => void response.socket?.destroy());
    expect((await fetch(`${gateway.url}/api/trpc/status.get`)).status).toBe(502);
    expect((await fetch(`${gateway.url}/api/hosts/node-b/trpc/status.get`)).status).toBe(200);
  });
});

describe('slow callers', () => {
  it('are cut off before their head is whole', async () => {
    await start(undefined, { server: { limits: { headersMsMax: 300 } } });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('GET /api/trpc/status.get HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ');
    const drip = setInterval(() => socket.write('x'), 50);
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    clearInterval(drip);
  });

  it('are cut off before their body is whole', async () => {
    const agent = await start(undefined, { server: { limits: { headersMsMax: 300, requestMsMax: 400 } } });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      'POST /api/trpc/plan.apply HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    );
    const drip = setInterval(() => socket.write(' '), 50);
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'close');
    clearInterval(drip);
    expect(agent.asked).toEqual([]);
  });
});

describe('what it tells of itself', () => {
  it('is healthy', async () => {
    await start();
    expect(await (await fetch(`${gateway.url}/healthz`)).json()).toEqual({ ok: true });
  });

  it('counts', async () => {
    await start();
    await raw({ host: 'evil.example' });
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(text).toContain('setkeeper_gateway_refused_total{by="host"} 1');
    expect(text).toContain('setkeeper_gateway_build_info{version="0.0.0-test"} 1');
  });

  it("passes an agent's metrics on", async () => {
    const agent = await start(
      (_request, response) =>
        void response.writeHead(200, json).end('{"result":{"data":{"text":"setkeeper_sets 1\\n"}}}'),
    );
    const response = await fetch(`${gateway.url}/hosts/node-a/metrics`);
    expect(await response.text()).toBe('setkeeper_sets 1\n');
    expect(agent.asked[0]?.claims).toMatchObject({ role: 'viewer', sub: 'gateway' });
  });

  it('says that there are no logins', async () => {
    await start();
    expect(await (await fetch(`${gateway.url}/api/session`)).json()).toMatchObject({
      loginsEnabled: false,
      user: { name: 'local' },
      role: 'operator',
      agents: ['node-a', 'node-b'],
    });
  });
});

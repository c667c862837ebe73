import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeAgent, startFakeAgent, testSigningKey } from '../testing/fake-agent.ts';
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts';
import { contentSecurityPolicy, inlineScriptHashes } from './inline-scripts.ts';
import { acceptedEncoding } from './serve-console.ts';

const script = 'self.__next_f.push([1,"x"])';
const page = `<!doctype html><script src="/_next/static/a.js"></script><script>${script}</script><p>sets</p>`;
const asset = `console.log(${JSON.stringify('x'.repeat(4000))})`;

let agent: FakeAgent;
let gateway: TestGateway;
beforeAll(async () => {
  const key = testSigningKey();
  agent = await startFakeAgent(key);
  gateway = await startTestGateway(key, [{ name: 'node-a', socket: agent.socket }], {
    pages: {
      'index.html': '<p>overview</p>',
      'sets/index.html': page,
      '404.html': '<p>not here</p>',
      '_next/static/a-1234.js': asset,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await agent.close();
});

/** Sends a path exactly as it is, which fetch would tidy up. */
function raw(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: gateway.port, path, headers, agent: false }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      resolve({ status: response.statusCode ?? 0, location: response.headers.location, body: Buffer.concat(chunks) });
    })
      .on('error', reject)
      .end();
  });
}

describe('the console', () => {
  it('is served with a policy that lets its own inline scripts run and no other', async () => {
    const response = await fetch(`${gateway.url}/sets/?group=tag:web`);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(page);
    const policy = response.headers.get('content-security-policy') ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/u);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-cache');
  });

  it('sends a path without its slash on to the one with it, query kept', async () => {
    expect(await raw('/sets?group=tag%3Aweb')).toMatchObject({ status: 308, location: '/sets/?group=tag%3Aweb' });
  });

  it('shows its own page for what is not there', async () => {
    const response = await fetch(`${gateway.url}/nothing/`);
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('<p>not here</p>');
  });

  it('lets hashed files be kept for ever, compressed', async () => {
    const answer = await raw('/_next/static/a-1234.js', { 'accept-encoding': 'gzip, br' });
    expect(brotliDecompressSync(answer.body).toString()).toBe(asset);
    const response = await fetch(`${gateway.url}/_next/static/a-1234.js`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('vary')).toBe('accept-encoding');
  });

  it('answers 304 to who has the same already', async () => {
    const first = await fetch(`${gateway.url}/`);
    const again = await fetch(`${gateway.url}/`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc/passwd',
    '//evil.example/sets',
    '/sets%00',
    '/sets/../../x',
  ])('gives nothing but its own files: %s', async (path) => {
    const answer = await raw(path);
    expect(answer.status).toBe(404);
    expect(answer.location).toBeUndefined();
    expect(answer.body.toString()).toBe('<p>not here</p>');
  });
});

it('answers 400 to an address that is no text', async () => {
  const answer = await raw('/%ff');
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body.toString())).toMatchObject({ code: 'bad-input' });
});

describe('inline scripts', () => {
  it('are found whatever their attributes, external ones left out', () => {
    const html =
      '<script id="a" nonce="">one</script><SCRIPT SRC=/x.js></SCRIPT><script>one</script><script type="application/json">{}</script>';
    expect(inlineScriptHashes(html)).toHaveLength(2);
  });

  it('make no hole where there are none', () => {
    expect(contentSecurityPolicy([])).toContain("script-src 'self';");
  });
});

it.each([
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['identity', undefined],
  [undefined, undefined],
])('takes of %s the encoding %s', (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding));

/** Numbers in [0, 1). */
type Random = () => number;

/** A request of bytes that no well-meaning client sends. */
export function malformedBytes(random: Random): Uint8Array {
  return choose(random, KINDS)(random);
}

const KINDS: readonly ((random: Random) => Uint8Array)[] = [
  (random) => randomBytes(random, 400),
  (random) =>
    text(`${choose(random, METHODS)} ${randomPath(random)} HTTP/${choose(random, ['1.1', '1.0', '9.9', ''])}\r\n`),
  (random) => head(random, 'GET', `/api/trpc/${randomPath(random)}`, {}),
  (random) => head(random, 'GET', `/api/trpc/${choose(random, VERBS)}?input=${randomText(random, 200)}`, {}),
  (random) => head(random, 'GET', `/api/trpc/${choose(random, VERBS)}`, { authorization: badAuthorization(random) }),
  (random) => post(random, `/api/trpc/${choose(random, VERBS)}`, badJson(random)),
  (random) =>
    post(
      random,
      `/api/trpc/${Array(1 + below(random, 300))
        .fill('status.get')
        .join(',')}?batch=1`,
      '{}',
    ),
  (random) =>
    head(random, 'POST', `/api/trpc/${choose(random, VERBS)}`, {
      'content-type': choose(random, [
        'text/plain',
        'multipart/form-data; boundary=',
        'application/json; charset=\u0000',
      ]),
      'content-length': choose(random, ['-1', '1e9', '99999999999999999999', '0x10', '5, 6']),
    }),
  (random) =>
    head(random, 'POST', '/api/trpc/model.put', {
      'content-type': 'application/json',
      'transfer-encoding': choose(random, ['chunked', 'chunked, chunked', 'gzip', 'identity, chunked']),
      ...(random() < 0.5 ? { 'content-length': '3' } : {}),
    }),
  (random) => flipped(random, head(random, 'GET', '/api/trpc/status.get', { accept: '*/*' })),
  (random) => flipped(random, post(random, '/api/trpc/pins.add', '{"group":1,"reason":2}')),
];

const METHODS = ['GET', 'POST', 'PUT', 'get', 'DELETE', 'CONNECT', 'PRI', ''];
// None of these acts on what it is given here: it is never a good input.
const VERBS = ['sets.list', 'sets.members', 'explain.address', 'plan.lines', 'pins.add', 'model.validate', '__proto__'];

function badAuthorization(random: Random): string {
  const part = (bytes: number): string => Buffer.from(randomBytes(random, bytes)).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none","typ":"setkeeper-identity+jwt","kid":"faults"}').toString('base64url');
  return choose(random, [
    'Bearer',
    `Bearer ${part(100)}.${part(300)}.${part(64)}`,
    `Bearer ${unsigned}.${part(200)}.`,
    `Bearer skt_${part(32)}`,
    `Basic ${part(30)}`,
    `Bearer ${'x'.repeat(below(random, 20_000))}`,
  ]);
}

function badJson(random: Random): string {
  const deep = 1 + below(random, 3_000);
  return choose(random, [
    '['.repeat(deep) + ']'.repeat(deep),
    '{"a":'.repeat(deep),
    `{"__proto__":{"role":"admin"},"limit":1e999,"cursor":"${randomText(random, 50)}"}`,
    `{"limit":${below(random, 1e9)},"filter":${JSON.stringify('('.repeat(500))}}`,
    `"${randomText(random, 300)}`,
    JSON.stringify({ group: randomText(random, 800), address: randomText(random, 100) }),
    '',
  ]);
}

function post(random: Random, path: string, body: string): Uint8Array {
  const length = random() < 0.8 ? Buffer.byteLength(body) : below(random, 5_000);
  const start = head(random, 'POST', path, { 'content-type': 'application/json', 'content-length': String(length) });
  return Buffer.concat([start, text(body)]);
}

function head(random: Random, method: string, path: string, headers: Readonly<Record<string, string>>): Uint8Array {
  const strange = random() < 0.3 ? `${randomText(random, 20)}: ${randomText(random, 60)}\r\n` : '';
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return text(`${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}${strange}\r\n`);
}

function flipped(random: Random, bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let count = 1 + below(random, 6); count > 0; count -= 1) copy[below(random, copy.length)] = below(random, 256);
  return copy;
}

const randomPath = (random: Random): string =>
  choose(random, [
    '%E0%A4%A',
    '..%2f..%2fetc/passwd',
    '%00',
    '//',
    `${'a'.repeat(below(random, 9_000))}`,
    randomText(random, 80),
  ]);
const randomText = (random: Random, max: number): string => Buffer.from(randomBytes(random, max)).toString('latin1');
const randomBytes = (random: Random, max: number): Uint8Array =>
  Uint8Array.from({ length: 1 + below(random, max) }, () => below(random, 256));
const text = (words: string): Uint8Array => Buffer.from(words, 'latin1');
const below = (random: Random, bound: number): number => Math.floor(random() * bound);
function choose<T>(random: Random, from: readonly [T, ...T[]] | readonly T[]): T {
  const chosen = from[below(random, from.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}

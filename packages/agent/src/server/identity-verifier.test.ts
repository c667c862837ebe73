import { ApiError } from '@setkeeper/api';
import { createFakeClock } from '@setkeeper/testkit';
import { CompactSign } from 'jose';
import { describe, expect, it } from 'vitest';
import { createIdentityVerifier, type GatewayKey } from './identity-verifier.ts';
import { createSigner, type Statement } from './testing/signer.ts';

const clock = createFakeClock();
const now = clock.now() / 1000;
const signer = createSigner();
const act = { method: 'POST', path: '/api/trpc/sets.reprogram', body: '{"groups":["tag:web"]}' };

const verifierWith = (more: Partial<GatewayKey> = {}, startedAt = clock.now() - 60_000) =>
  createIdentityVerifier({
    host: 'node-a',
    keys: [{ kid: 'gateway-1', key: signer.publicKey, maxRole: 'admin', ...more }],
    clock,
    startedAt,
  });

const refusal = async (work: () => Promise<unknown>): Promise<ApiError> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('the statement was taken');
};

const prove = async (statement: Partial<Statement>, key: Partial<GatewayKey> = {}) =>
  (await verifierWith(key)).prove(`Bearer ${await signer.sign({ now, ...statement })}`);

describe('a statement of who asks', () => {
  it('names its caller', async () => {
    const { caller } = await prove({ role: 'operator' });
    expect(caller).toEqual({
      subject: 'user-1',
      name: 'maria',
      role: 'operator',
      via: 'gateway',
      sessionId: 'session-1',
    });
  });

  it.each<[string, Partial<Statement>, string]>([
    ['another algorithm', { header: { alg: 'HS256' } }, 'not signed'],
    ['no signature', { header: { alg: 'none' } }, 'not signed'],
    ['another type', { header: { typ: 'JWT' } }, 'no statement of who asks'],
    ['an unknown key', { header: { kid: 'gateway-9' } }, 'does not know'],
    ['another host', { claims: { aud: 'node-b' } }, 'is for node-b; this agent is node-a'],
    ['several hosts', { claims: { aud: ['node-a', 'node-b'] } }, 'claim aud'],
    ['a long life', { claims: { exp: now + 61 } }, '60 seconds at most'],
    ['an end before its beginning', { claims: { exp: now - 1 } }, '60 seconds at most'],
    ['no role', { claims: { role: 'root' } }, 'claim role'],
    ['no session', { claims: { sid: undefined } }, 'claim sid'],
    ['no number', { claims: { jti: undefined } }, 'claim jti'],
    ['a long lease', { claims: { lease: 61 } }, 'claim lease'],
  ])('with %s is refused', async (_what, statement, words) => {
    const signed =
      statement.header?.alg === undefined ? signer.sign({ now, ...statement }) : forged(statement.header.alg);
    const error = await refusal(async () => (await verifierWith()).prove(`Bearer ${await signed}`));
    expect(error.code).toBe('unauthenticated');
    expect(error.message).toContain(words);
  });

  it('that was changed after it was signed is refused', async () => {
    const [header, , signature] = (await signer.sign({ now, role: 'viewer' })).split('.');
    const [, other] = (await signer.sign({ now, role: 'admin' })).split('.');
    const error = await refusal(async () => (await verifierWith()).prove(`Bearer ${header}.${other}.${signature}`));
    expect(error.message).toContain('not signed with the key');
  });

  it('by a key of somebody else under a trusted name is refused', async () => {
    const other = createSigner('gateway-1');
    const error = await refusal(async () => (await verifierWith()).prove(`Bearer ${await other.sign({ now })}`));
    expect(error.message).toContain('not signed with the key');
  });

  it('from a clock that is more than 5 s apart is refused with the difference, either way', async () => {
    const ahead = await refusal(() => prove({ claims: { iat: now + 6, exp: now + 36 } }));
    expect(ahead).toMatchObject({ code: 'clock-skew', details: { differenceSeconds: 6 } });
    const behind = await refusal(() => prove({ claims: { iat: now - 40, exp: now - 10 } }));
    expect(behind).toMatchObject({ code: 'clock-skew', details: { differenceSeconds: -40 } });
    await prove({ claims: { iat: now + 4.9, exp: now + 30 } });
    await prove({ claims: { iat: now - 34, exp: now - 4.9 } });
  });

  it('for a role above what its key may speak for is refused', async () => {
    const error = await refusal(() => prove({ role: 'operator' }, { maxRole: 'viewer' }));
    expect(error.message).toContain('may not speak for the role operator');
    await prove({ role: 'viewer' }, { maxRole: 'viewer' });
  });

  it('is accepted from either of two keys, while they are changed', async () => {
    const next = createSigner('gateway-2');
    const verifier = await createIdentityVerifier({
      host: 'node-a',
      keys: [
        { kid: 'gateway-1', key: signer.publicKey, maxRole: 'admin' },
        { kid: 'gateway-2', key: next.publicKey, maxRole: 'admin' },
      ],
      clock,
      startedAt: 0,
    });
    await verifier.prove(`Bearer ${await signer.sign({ now })}`);
    await verifier.prove(`Bearer ${await next.sign({ now })}`);
  });

  it.each(['', 'Basic x', 'Bearer', 'Bearer a b', `Bearer ${'x'.repeat(9_000)}`])(
    'is missing from "%s"',
    async (header) => {
      const error = await refusal(async () => (await verifierWith()).prove(header));
      expect(error.code).toBe('unauthenticated');
    },
  );
});

describe('a statement for an act', () => {
  const bind = async (statement: Partial<Statement>, request = act, startedAt?: number) => {
    const verifier = await verifierWith({}, startedAt);
    const identity = await verifier.prove(`Bearer ${await signer.sign({ now, ...statement })}`);
    verifier.bind(identity, request);
    return { verifier, identity };
  };

  it('is good for exactly its request', async () => {
    await bind({ request: act });
    for (const other of [
      { ...act, method: 'PUT' },
      { ...act, path: '/api/trpc/leftovers.cleanup' },
      { ...act, path: `${act.path}?batch=1` },
      { ...act, body: '{"groups":["tag:db"]}' },
    ])
      expect((await refusal(() => bind({ request: act }, other))).message).toContain('not for this request');
  });

  it('needs the digest of its request', async () => {
    expect((await refusal(() => bind({}))).message).toContain('not for this request');
  });

  it('is good once', async () => {
    const { verifier, identity } = await bind({ request: act });
    expect((await refusal(async () => verifier.bind(identity, act))).message).toContain('used before');
  });

  it('from before the agent started is refused: it may have been used then', async () => {
    const error = await refusal(() => bind({ request: act }, act, clock.now() + 1));
    expect(error.message).toContain('before this agent started');
    await bind({ request: act }, act, clock.now());
  });
});

it('refuses a configured key that is none, by its name', async () => {
  await expect(verifierWith({ key: 'AAAA' })).rejects.toThrow(/the key gateway-1 is no Ed25519 public key/u);
});

/** What an attacker can make without the private key. */
async function forged(alg: string): Promise<string> {
  const claims = {
    iss: 'x',
    aud: 'node-a',
    sub: 'x',
    name: 'x',
    role: 'admin',
    sid: 's',
    jti: '12345678',
    iat: now,
    exp: now + 30,
  };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg, typ: 'setkeeper-identity+jwt', kid: 'gateway-1' };
  if (alg === 'none') return `${encode(header)}.${encode(claims)}.`;
  // The public key as a shared secret: the classic confusion.
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ ...header, alg })
    .sign(Buffer.from(signer.publicKey.padEnd(43, '0')));
}

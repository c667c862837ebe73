import {
  ApiError,
  type Caller,
  IdentityClaims,
  identityAlgorithm,
  identityLifeSecondsMax,
  identitySkewSecondsMax,
  identityType,
  isWithin,
  type Role,
  requestDigest,
} from '@setkeeper/api';
import { type CryptoKey, compactVerify, importJWK } from 'jose';
import type { Clock } from '../clock.ts';
import { createReplayGuard } from './replay-guard.ts';

/** A key of `trust.gatewayKeys`. `key`: the raw Ed25519 public key in base64url (a JWK's `x`). */
export interface GatewayKey {
  readonly kid: string;
  readonly key: string;
  readonly maxRole: Role;
}

/** A proved statement, good for one request. */
export interface Identity {
  readonly caller: Caller;
  readonly kid: string;
  readonly claims: IdentityClaims;
}

/** The request that a statement must fit, once its body is here. */
export interface BoundRequest {
  readonly method: string;
  /** The request target with its query string. */
  readonly path: string;
  readonly body: string;
}

/** Proves signed statements of who asks (packages/api README). Every refusal is an ApiError that says what was wrong. */
export interface IdentityVerifier {
  /** Everything but the request itself: signature, key, audience, times, role. Cheap enough to do before a body is read (0.1 ms). */
  prove(authorization: string | undefined): Promise<Identity>;
  /** For every method but GET: the statement is for exactly this request, was never used, and was made since this agent started. */
  bind(identity: Identity, request: BoundRequest): void;
}

export interface IdentityVerifierParameters {
  /** The agent's `host`: the audience. */
  readonly host: string;
  readonly keys: readonly GatewayKey[];
  readonly clock: Clock;
  /** Milliseconds since 1970. Statements for acts from before are refused: which were used then is not known any more. */
  readonly startedAt: number;
}

/** Imports the keys (a key that is no Ed25519 public key throws) and verifies from then on. */
export async function createIdentityVerifier(parameters: IdentityVerifierParameters): Promise<IdentityVerifier> {
  const { host, clock, startedAt } = parameters;
  const keys = new Map<string, { readonly key: CryptoKey; readonly maxRole: Role }>();
  for (const { kid, key, maxRole } of parameters.keys) keys.set(kid, { key: await importKey(kid, key), maxRole });
  const replays = createReplayGuard(clock);

  return {
    prove: async (authorization) => {
      const jws = /^Bearer ([A-Za-z0-9_.-]{1,8192})$/u.exec(authorization ?? '')?.[1];
      if (jws === undefined)
        throw new ApiError('unauthenticated', 'This request carries no identity.', {
          remedy: 'Ask through the gateway, or on the admin socket.',
        });
      const { kid, payload } = await checkSignature(jws, keys);
      const claims = parseClaims(payload);
      const trusted = keys.get(kid);
      if (claims.aud !== host)
        throw refused(
          `The statement is for ${claims.aud}; this agent is ${host}.`,
          `Name it ${host} under agents in the gateway's configuration.`,
        );
      if (claims.exp - claims.iat > identityLifeSecondsMax || claims.exp <= claims.iat)
        throw refused(`A statement may live ${identityLifeSecondsMax} seconds at most.`);
      checkClock(claims, clock.now() / 1000);
      if (trusted === undefined || !isWithin(claims.role, trusted.maxRole))
        throw refused(`The key ${kid} may not speak for the role ${claims.role}.`);
      return {
        kid,
        claims,
        caller: { subject: claims.sub, name: claims.name, role: claims.role, via: 'gateway', sessionId: claims.sid },
      };
    },

    bind: ({ claims, kid }, { method, path, body }) => {
      if (claims.req !== requestDigest(method, path, body)) throw refused('The statement is not for this request.');
      if (claims.iat * 1000 < startedAt)
        throw refused('The statement was made before this agent started.', 'Ask again.');
      if (!replays.takeOnce(`${kid} ${claims.jti}`, (claims.exp + identitySkewSecondsMax) * 1000))
        throw refused('The statement was used before.');
    },
  };
}

async function importKey(kid: string, x: string): Promise<CryptoKey> {
  try {
    const key = await importJWK({ kty: 'OKP', crv: 'Ed25519', x }, identityAlgorithm);
    if (key instanceof Uint8Array) throw new TypeError('a symmetric key');
    return key;
  } catch (error) {
    throw new Error(`trust.gatewayKeys: the key ${kid} is no Ed25519 public key in base64url.`, { cause: error });
  }
}

async function checkSignature(
  jws: string,
  keys: ReadonlyMap<string, { readonly key: CryptoKey }>,
): Promise<{ readonly kid: string; readonly payload: Uint8Array }> {
  try {
    const { payload, protectedHeader } = await compactVerify(
      jws,
      ({ kid, typ, alg }) => {
        if (alg !== identityAlgorithm) throw refused('The statement has another algorithm than EdDSA.');
        if (typ !== identityType) throw refused('The token is no statement of who asks.');
        const known = keys.get(kid ?? '');
        if (known === undefined)
          throw refused(
            'The statement is signed with a key that this agent does not know.',
            'Check trust.gatewayKeys.',
          );
        return known.key;
      },
      { algorithms: [identityAlgorithm] },
    );
    return { kid: protectedHeader.kid ?? '', payload };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw refused('The statement is not signed with the key that it names.');
  }
}

function parseClaims(payload: Uint8Array): IdentityClaims {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw refused('The statement holds no JSON.');
  }
  const parsed = IdentityClaims.safeParse(json);
  if (parsed.success) return parsed.data;
  const claim = parsed.error.issues[0]?.path.join('.') ?? '';
  throw refused(`The statement's claim ${claim} is missing or does not fit.`);
}

function checkClock({ iat, exp }: IdentityClaims, now: number): void {
  const ahead = iat - now;
  const late = now - exp;
  if (ahead <= identitySkewSecondsMax && late <= identitySkewSecondsMax) return;
  const differenceSeconds = Math.round(ahead * 1000) / 1000;
  const words = ahead > 0 ? `${ahead.toFixed(1)} s ahead of` : `${(-ahead).toFixed(1)} s behind`;
  throw new ApiError('clock-skew', `The statement's time is ${words} this agent's clock.`, {
    remedy: 'Set the clocks of gateway and agent right.',
    details: { differenceSeconds },
  });
}

const refused = (message: string, remedy = 'Ask through a gateway whose key this agent trusts.'): ApiError =>
  new ApiError('unauthenticated', message, { remedy });

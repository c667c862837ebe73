import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Role } from './schema/scalars.ts';

/**
 * The signed statement of who asks: a compact JWS (EdDSA over Ed25519) in `authorization: Bearer ...`, made by a gateway
 * for one request, proved by the agent. README.md of this package says how to make one.
 */
export const identityType = 'setkeeper-identity+jwt';
/** The one signature algorithm: Ed25519 under its JOSE name. Any other is refused. */
export const identityAlgorithm = 'EdDSA';
/** How long a signer should let a statement live, in seconds. */
export const identityLifeSeconds = 30;
/** A statement that claims to live longer than this is refused, in seconds. */
export const identityLifeSecondsMax = 60;
/** How far the clocks of signer and agent may be apart, in seconds; more is refused with the code `clock-skew`. */
export const identitySkewSecondsMax = 5;
/** The longest lease of an event stream, in seconds. */
export const leaseSecondsMax = 60;
/** Where a lease is renewed on the agent's socket: `POST` with an empty JSON object. */
export const leasePath = '/api/lease';
/** The header in which the CLI on the admin socket says which login user stands behind root. A claim, never proof. */
export const claimedHeader = 'x-setkeeper-claimed';

/** The claims of a statement. Times are seconds since 1970 and may have a fraction (a signer should give milliseconds). */
export const IdentityClaims = z.object({
  /** The gateway that signed, for people: e.g. `setkeeper-gateway`. */
  iss: z.string().min(1).max(200),
  /** The agent's `host`. */
  aud: z.string().min(1).max(253),
  /** The user's stable id. */
  sub: z.string().min(1).max(200),
  /** The user's name, for people. */
  name: z.string().min(1).max(200),
  role: Role,
  /** The session or API token that asks. Leases are renewed by it. */
  sid: z.string().min(1).max(200),
  /** Never used twice by a signer. */
  jti: z.string().min(8).max(200),
  iat: z.number().positive(),
  exp: z.number().positive(),
  /** `requestDigest` of the request; required for every method but GET. */
  req: z.string().length(43).optional(),
  /** On an event stream and its renewals: how long the stream may live from now without being renewed, in seconds. 0 ends the session's streams at once. */
  lease: z.number().min(0).max(leaseSecondsMax).optional(),
});
export type IdentityClaims = z.infer<typeof IdentityClaims>;

/**
 * Binds a statement to one request: SHA-256 in base64url without padding over `<method>\n<path>\n<body>`.
 * `path` is the request target as it stands in the request line on the agent's socket, query string included;
 * `body` is the body as sent, empty when there is none. Cost: O(body).
 */
export function requestDigest(method: string, path: string, body: string | Uint8Array): string {
  return createHash('sha256').update(`${method.toUpperCase()}\n${path}\n`).update(body).digest('base64url');
}

import { createPublicKey, generateKeyPairSync } from 'node:crypto';

/** The key with which a gateway signs who asks, and what an agent needs to believe it. */
export interface SigningKey {
  /** PKCS8 PEM, for the gateway alone. */
  readonly privatePem: string;
  readonly kid: string;
  /** The raw public key in base64url (the `x` of its JWK), for the agent's `trust.gatewayKeys`. */
  readonly publicKey: string;
}

/** A new Ed25519 key. */
export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return signingKeyFrom(String(privateKey.export({ type: 'pkcs8', format: 'pem' })));
}

/** Reads a key back; throws if the text is no Ed25519 private key. */
export function signingKeyFrom(privatePem: string): SigningKey {
  const jwk = createPublicKey(privatePem).export({ format: 'jwk' });
  if (jwk.crv !== 'Ed25519' || jwk.x === undefined) throw new Error('not an Ed25519 key');
  return { privatePem, kid: `start-${jwk.x.slice(0, 8)}`, publicKey: jwk.x };
}

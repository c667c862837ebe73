import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** The key that identities are signed with. */
export interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
  /** What agents have in `trust.gatewayKeys`: the raw public key in base64url. */
  readonly publicKey: string;
}

/** Reads an Ed25519 key from a PEM file. Throws with a sentence that names the file and how to make one. */
export function readSigningKey({ file, kid }: { readonly file: string; readonly kid: string }): SigningKey {
  try {
    const key = createPrivateKey(readFileSync(file));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is of type ${key.asymmetricKeyType}, not ed25519`);
    const { x } = createPublicKey(key).export({ format: 'jwk' });
    return { kid, key, publicKey: String(x) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown';
    throw new Error(
      `the signing key ${file} cannot be used: ${why}. Make one with: openssl genpkey -algorithm ed25519 -out ${file}`,
      { cause },
    );
  }
}

import { createPublicKey, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newSigningKey, signingKeyFrom } from './signing-key.ts';

describe('signing key', () => {
  it('verifies with its public part what its private part signed', () => {
    const { privatePem, publicKey } = newSigningKey();
    const statement = Buffer.from('who asks');
    const verifier = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    expect(verify(null, statement, verifier, sign(null, statement, privatePem))).toBe(true);
  });

  it('reads back as the same key with the same kid', () => {
    const key = newSigningKey();
    expect(signingKeyFrom(key.privatePem)).toEqual(key);
  });

  it('refuses text that is no key', () => {
    expect(() => signingKeyFrom('nonsense')).toThrow();
  });
});

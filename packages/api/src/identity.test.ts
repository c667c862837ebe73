import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { IdentityClaims, requestDigest } from './identity.ts';

it('binds a statement to method, path with query, and body', () => {
  const expected = createHash('sha256').update('POST\n/api/trpc/a.b?batch=1\n{"x":1}').digest('base64url');
  expect(requestDigest('post', '/api/trpc/a.b?batch=1', '{"x":1}')).toBe(expected);
  expect(requestDigest('POST', '/api/trpc/a.b?batch=1', Buffer.from('{"x":1}'))).toBe(expected);
  expect(expected).toHaveLength(43);
});

it('tells requests apart that only look alike when written together', () => {
  const digests = [
    requestDigest('POST', '/a', 'b'),
    requestDigest('POST', '/ab', ''),
    requestDigest('PUT', '/a', 'b'),
    requestDigest('POST', '/a', 'b '),
  ];
  expect(new Set(digests).size).toBe(4);
});

it('takes times with a fraction, and refuses what is missing or too long', () => {
  const claims = {
    iss: 'g',
    aud: 'a',
    sub: 's',
    name: 'n',
    role: 'viewer',
    sid: 'x',
    jti: '12345678',
    iat: 1.5,
    exp: 31.5,
  };
  expect(IdentityClaims.safeParse(claims).success).toBe(true);
  expect(IdentityClaims.safeParse({ ...claims, role: 'root' }).success).toBe(false);
  expect(IdentityClaims.safeParse({ ...claims, lease: 61 }).success).toBe(false);
  expect(IdentityClaims.safeParse({ ...claims, sid: '' }).success).toBe(false);
  expect(IdentityClaims.safeParse({ ...claims, req: 'short' }).success).toBe(false);
});

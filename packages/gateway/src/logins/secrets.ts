import { createHash, randomBytes } from 'node:crypto';

/** What is kept of a secret of 100 random bits or more: nothing to guess from, so no salt and no slowness. */
export const secretHash = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Crockford's base 32: nothing that looks like something else. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A code for people to type: four groups of five, 100 random bits. */
export function newCode(): string {
  const text = [...randomBytes(20)].map((byte) => letters[byte % 32]).join('');
  return (text.match(/.{5}/gu) ?? []).join('-');
}

/** A code as it was typed: case, blanks and dashes do not count, and look-alikes are what they look like. */
export const readCode = (typed: string): string =>
  (
    typed
      .toUpperCase()
      .replace(/[\s-]/gu, '')
      .replaceAll('O', '0')
      .replace(/[IL]/gu, '1')
      .match(/.{1,5}/gu) ?? []
  ).join('-');

/** An API token: 256 random bits behind a mark that scanners for leaked secrets can find. */
export const newToken = (): string => `skt_${randomBytes(32).toString('base64url')}`;

/** What a session's cookie holds: 256 random bits. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url');

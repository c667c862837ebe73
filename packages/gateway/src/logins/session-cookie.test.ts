import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { createSessionCookie } from './session-cookie.ts';

const read = (cookie: string, isEncrypted = false) =>
  createSessionCookie('gateway', isEncrypted).read({ headers: { cookie } } as unknown as FastifyRequest);
function written(isEncrypted: boolean): string {
  let text = '';
  const header = (_name: string, value: string): void => {
    text = value;
  };
  const reply = { header } as unknown as FastifyReply;
  createSessionCookie('gateway', isEncrypted).set(reply, 'a'.repeat(32));
  return text;
}

it('is bound to this host by its name over TLS', () => {
  expect(written(true)).toMatch(/^__Host-setkeeper-[0-9a-f]{8}=a{32}; Path=\/; HttpOnly; SameSite=Strict; Secure$/u);
});

it('is read back among others, and only in its own form', () => {
  const pair = written(false).split(';')[0] ?? '';
  expect(read(`theme=dark; ${pair}; x=y`)).toBe('a'.repeat(32));
  expect(read(`x${pair}`)).toBeUndefined();
  expect(read(pair.replace(/=.*/u, '=short'))).toBeUndefined();
  expect(read(`${pair}"; drop`)).toBeUndefined();
});

it('is another one for another gateway of this machine', () => {
  const mine = written(false).split('=')[0];
  const reply = {
    header: (_name: string, value: string) => expect(value.split('=')[0]).not.toBe(mine),
  } as unknown as FastifyReply;
  createSessionCookie('other', false).set(reply, 'a'.repeat(32));
  expect.assertions(1);
});

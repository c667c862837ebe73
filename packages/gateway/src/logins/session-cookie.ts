import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The one cookie there is: it carries a session's secret, and only to this host. */
export interface SessionCookie {
  read(request: FastifyRequest): string | undefined;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/**
 * Makes the cookie. Its name tells gateways apart, because a browser gives a cookie of 127.0.0.1 to every port of it, and
 * an operator may have tunnels to two hosts. Encrypted: `__Host-`, so that no other host of the domain can set it.
 */
export function createSessionCookie(gateway: string, isEncrypted: boolean): SessionCookie {
  const mark = createHash('sha256').update(gateway).digest('hex').slice(0, 8);
  const name = `${isEncrypted ? '__Host-' : ''}setkeeper-${mark}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isEncrypted ? '; Secure' : ''}`;
  const form = new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{16,128})(?:;|$)`, 'u');
  return {
    read: (request) => form.exec(request.headers.cookie ?? '')?.[1],
    set: (reply, token) => void reply.header('set-cookie', `${name}=${token}; ${attributes}`),
    clear: (reply) => void reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`),
  };
}

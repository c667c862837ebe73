import type { FastifyInstance } from 'fastify';

/** What every answer carries. Pages have a Content-Security-Policy of their own; everything else may do nothing at all. */
export function addSecurityHeaders(app: FastifyInstance, isEncrypted: boolean): void {
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('x-frame-options', 'DENY');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('cross-origin-opener-policy', 'same-origin');
    reply.header('cross-origin-resource-policy', 'same-origin');
    reply.header('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
    reply.header('x-request-id', request.id);
    if (isEncrypted) reply.header('strict-transport-security', 'max-age=31536000');
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  });
}

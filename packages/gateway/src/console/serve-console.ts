import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleFile, ConsoleFiles } from './console-files.ts';

/** Answers a GET or HEAD that is not for the API with a file of the console, a redirect to its trailing slash, or its 404 page. */
export async function serveConsole(files: ConsoleFiles, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const [rawPath = '/', query] = splitOnce(request.raw.url ?? '/', '?');
  const path = decoded(rawPath);
  const file = path === undefined ? undefined : files.byPath.get(path);
  if (file !== undefined) return send(file, 200, request, reply);
  if (path !== undefined && files.byPath.has(`${path}/`)) {
    // The path is one of the table, so it starts with one slash and cannot name another host.
    const target = `${path}/`.split('/').map(encodeURIComponent).join('/');
    await reply
      .code(308)
      .header('location', query === undefined ? target : `${target}?${query}`)
      .send();
    return;
  }
  if (files.notFound !== undefined) return send(files.notFound, 404, request, reply);
  const isBuilt = files.byPath.size > 0;
  await reply
    .code(isBuilt ? 404 : 503)
    .type('text/plain; charset=utf-8')
    .send(
      isBuilt
        ? 'There is nothing at this address.\n'
        : 'The console is not built: its folder is empty (gateway.yaml: console).\n',
    );
}

async function send(file: ConsoleFile, status: number, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.code(status).type(file.type).header('cache-control', file.cacheControl).header('vary', 'accept-encoding');
  if (file.contentSecurityPolicy !== undefined) reply.header('content-security-policy', file.contentSecurityPolicy);
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const encoded = encoding === undefined ? undefined : await file.encoded(encoding);
  // A weak tag: the same content in another encoding is other bytes.
  reply.header('etag', `W/${file.etag}`);
  if (status === 200 && request.headers['if-none-match']?.includes(file.etag)) {
    await reply.code(304).send();
    return;
  }
  if (encoding !== undefined && encoded !== undefined) reply.header('content-encoding', encoding);
  await reply.send(encoded ?? file.body);
}

/** The better encoding that a client takes; one with weight 0 is not taken. */
export function acceptedEncoding(header: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const taken = new Set<string>();
  for (const part of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = part.trim().toLowerCase().split(';');
    if (!parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/u.test(parameter))) taken.add(name.trim());
  }
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : undefined;
}

function splitOnce(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

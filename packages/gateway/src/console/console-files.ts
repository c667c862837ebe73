import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { contentSecurityPolicy, inlineScriptHashes } from './inline-scripts.ts';

/** One file of the console, with everything that its answer needs. */
export interface ConsoleFile {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
  readonly cacheControl: string;
  /** Pages only. */
  readonly contentSecurityPolicy: string | undefined;
  /** Made at the first request for it, then kept; undefined where it would not be smaller. */
  encoded(encoding: 'br' | 'gzip'): Promise<Buffer | undefined>;
}

/** The console by URL path: `/` and `/sets/` for pages, `/_next/static/...` for assets. */
export interface ConsoleFiles {
  readonly byPath: ReadonlyMap<string, ConsoleFile>;
  readonly notFound: ConsoleFile | undefined;
  readonly bytes: number;
}

/** More than this is not the console. */
const bytesMax = 256 * 1024 * 1024;

/**
 * Reads a static export whole. From then on no request touches the file system: there is no path to escape from, and
 * the gateway can give up the right to read the folder. A folder that is not there holds no file.
 */
export function readConsoleFiles(folder: string): ConsoleFiles {
  const byPath = new Map<string, ConsoleFile>();
  let notFound: ConsoleFile | undefined;
  let bytes = 0;
  for (const file of filesBelow(folder)) {
    bytes += statSync(file).size;
    if (bytes > bytesMax)
      throw new Error(`${folder} holds more than ${bytesMax} bytes: it is not the console's export`);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const entry = consoleFile(path, readFileSync(file));
    if (path === '/404.html' || path === '/404/index.html') notFound = entry;
    byPath.set(path.endsWith('/index.html') ? path.slice(0, -'index.html'.length) : path, entry);
  }
  return { byPath, notFound, bytes };
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};
const compressible = /^(?:text\/|application\/|image\/svg)/u;

function consoleFile(path: string, body: Buffer): ConsoleFile {
  const type = types[extname(path)] ?? 'application/octet-stream';
  const made = new Map<'br' | 'gzip', Promise<Buffer | undefined>>();
  return {
    type,
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`,
    // Names below _next/static hold a hash of the content.
    cacheControl: path.startsWith('/_next/static/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    contentSecurityPolicy: type.startsWith('text/html')
      ? contentSecurityPolicy(inlineScriptHashes(body.toString('utf8')))
      : undefined,
    encoded(encoding) {
      if (body.length < 1024 || !compressible.test(type)) return Promise.resolve(undefined);
      const known = made.get(encoding);
      if (known !== undefined) return known;
      const making = compress(encoding, body).then((smaller) => (smaller.length < body.length ? smaller : undefined));
      made.set(encoding, making);
      return making;
    },
  };
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

const compress = (encoding: 'br' | 'gzip', body: Buffer): Promise<Buffer> =>
  encoding === 'br'
    ? brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
    : gzipped(body, { level: 9 });

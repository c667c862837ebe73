import { createHash } from 'node:crypto';

/** The CSP sources (`'sha256-...'`) of the inline scripts of an HTML page, in order, each once (CSP level 3, section 6.7.2). */
export function inlineScriptHashes(html: string): readonly string[] {
  const hashes = new Set<string>();
  for (const [, attributes = '', text = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/giu)) {
    if (/\ssrc\s*=/iu.test(attributes) || text === '') continue;
    hashes.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  }
  return [...hashes];
}

/**
 * The policy of one page. Scripts are the console's own files and the inline ones that its export holds, nothing else.
 * Styles may be inline: components set positions and sizes that way, and a style cannot act.
 */
export function contentSecurityPolicy(scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

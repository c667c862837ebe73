import { isIPv4 } from 'node:net';

/** What of a request tells where it comes from. */
export interface RequestFacts {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
}

/** What this gateway takes. */
export interface OriginPolicy {
  /** Any loopback Host with any port is good: an operator may come through `ssh -L`. */
  readonly isLoopback: boolean;
  /** The scheme of addresses that are not configured. */
  readonly scheme: 'http' | 'https';
  /** Configured origins. */
  readonly origins: readonly string[];
}

/** Whether a request may go on; if not, its status, and what came against what was expected. */
export type Verdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly status: 421 | 403;
      readonly came: string;
      readonly expected: string;
      readonly message: string;
    };

/**
 * Judges Host, Origin and Sec-Fetch-Site (CONTRACT: section 6). A foreign Host is 421: another name was made to point
 * here. A foreign Origin or site is 403: a page of somebody else asks in the name of who looks at it. What has neither
 * header is no browser.
 */
export function judgeRequest(facts: RequestFacts, policy: OriginPolicy): Verdict {
  const host = facts.host?.toLowerCase();
  const expected = host === undefined ? [] : originsFor(host, policy);
  if (expected.length === 0) {
    const good = [...(policy.isLoopback ? [`${policy.scheme}://127.0.0.1`] : []), ...policy.origins].join(', ');
    const came = facts.host ?? 'no host at all';
    const message = `This request is for the host ${came}; this console answers for ${good} only.`;
    return { ok: false, status: 421, came, expected: good, message };
  }
  const { origin, secFetchSite, method } = facts;
  if (origin !== undefined && !expected.includes(origin)) {
    const good = expected.join(' or ');
    const message = `This request comes from a page of ${origin}; this console takes requests of its own pages (${good}) only.`;
    return { ok: false, status: 403, came: origin, expected: good, message };
  }
  const isRead = method === 'GET' || method === 'HEAD';
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin' && !(secFetchSite === 'none' && isRead)) {
    const message = `The browser says that this request comes from another site (Sec-Fetch-Site: ${secFetchSite}).`;
    return { ok: false, status: 403, came: secFetchSite, expected: 'same-origin', message };
  }
  return { ok: true };
}

/** The origins that a page at this host may have; none for a host that is not ours. */
function originsFor(host: string, policy: OriginPolicy): readonly string[] {
  const configured = policy.origins.filter((origin) => new URL(origin).host === withoutDefaultPort(host, origin));
  if (configured.length > 0) return configured;
  if (!policy.isLoopback || !isLoopbackHost(host)) return [];
  return [new URL(`${policy.scheme}://${host}`).origin];
}

const withoutDefaultPort = (host: string, origin: string): string =>
  host.replace(origin.startsWith('https:') ? /:443$/u : /:80$/u, '');

/** A Host that can only be this machine, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  const match = /^(\[::1\]|localhost|[0-9.]+)(?::([0-9]{1,5}))?$/u.exec(host);
  const [, name, port] = match ?? [];
  if (name === undefined || Number(port ?? 0) > 65_535) return false;
  return name === 'localhost' || name === '[::1]' || (isIPv4(name) && name.startsWith('127.'));
}

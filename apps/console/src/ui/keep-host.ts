/** The address with the `host` of this tab kept, so that a link never jumps to another host's agent. */
export function keepHost(href: string): string {
  if (typeof window === 'undefined') return href;
  const host = new URLSearchParams(window.location.search).get('host');
  if (host === null || host === '' || !href.startsWith('/')) return href;
  const url = new URL(href, window.location.origin);
  url.searchParams.set('host', host);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Where the agent's API is for this tab: the gateway's first agent, or the one that `?host=` names. */
export function apiAddress(search: string): string {
  const host = new URLSearchParams(search).get('host');
  return host === null || host === '' ? '/api/trpc' : `/api/hosts/${encodeURIComponent(host)}/trpc`;
}

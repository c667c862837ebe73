/** Documents whose tag `big` has so many members, a thousand addresses an endpoint: what is measured is the set, not the parser. */
export function bigTag(members: readonly string[]): Readonly<Record<string, string>> {
  const A_TIME = 1000;
  const endpoints: Record<string, unknown> = {};
  for (let from = 0; from < members.length; from += A_TIME) {
    endpoints[`bench/${from / A_TIME}`] = { profiles: ['big'], ipv4: members.slice(from, from + A_TIME) };
  }
  return pages('big', endpoints, { profiles: { big: { tags: ['big'] } }, references: { bench: ['tag:big'] } });
}

/** Splits endpoints over files of a bounded size. */
export function pages(
  name: string,
  endpoints: Readonly<Record<string, unknown>>,
  rest: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const files: Record<string, string> = { [`${name}.json`]: JSON.stringify(rest) };
  const all = Object.entries(endpoints);
  const A_FILE = Math.max(1, Math.min(2000, Math.ceil(all.length / 20)));
  for (let from = 0; from < all.length; from += A_FILE) {
    files[`${name}-${from / A_FILE}.json`] = JSON.stringify({
      endpoints: Object.fromEntries(all.slice(from, from + A_FILE)),
    });
  }
  return files;
}

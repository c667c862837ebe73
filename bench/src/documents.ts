/** Documents whose tag `big` has so many members, a thousand addresses an endpoint: what is measured is the set, not the parser. */
export function bigTag(
  members: readonly string[],
  family: 'inet' | 'inet6' = 'inet',
): Readonly<Record<string, string>> {
  const A_TIME = 1000;
  const endpoints: Record<string, unknown> = {};
  for (let from = 0; from < members.length; from += A_TIME) {
    endpoints[`bench/${from / A_TIME}`] = {
      profiles: ['big'],
      [family === 'inet' ? 'ipv4' : 'ipv6']: members.slice(from, from + A_TIME),
    };
  }
  return pages('big', endpoints, { profiles: { big: { tags: ['big'] } }, references: { bench: ['tag:big'] } });
}

/** Sets of their own profile and tag, each with some members of its own. */
export function manySets(
  sets: number,
  members: number,
): { readonly documents: Readonly<Record<string, string>>; lines(): Generator<string> } {
  const profiles: Record<string, unknown> = {};
  const endpoints: Record<string, unknown> = {};
  const groups: string[] = [];
  const address = (set: number, member: number): string => `10.${set >> 8}.${set & 255}.${member + 1}`;
  for (let set = 0; set < sets; set++) {
    profiles[`p${set}`] = { tags: [`t${set}`] };
    endpoints[`e/${set}`] = {
      profiles: [`p${set}`],
      ipv4: Array.from({ length: members }, (_, member) => address(set, member)),
    };
    groups.push(`tag:t${set}`);
  }
  return {
    documents: pages('many', endpoints, { profiles, references: { bench: groups } }),
    *lines() {
      for (let set = 0; set < sets; set++) {
        yield `create raw-${set} hash:ip family inet maxelem 65536`;
        for (let member = 0; member < members; member++) yield `add raw-${set} ${address(set, member)}`;
      }
    },
  };
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

import type { TestNamespace } from '@setkeeper/testkit';
import { inNamespace } from './raw.ts';

/** Throws unless the kernel has so many sets whose names begin so, with so many members in all: what is fast and wrong is not fast. */
export async function expectInKernel(
  namespace: TestNamespace,
  start: string,
  wanted: { readonly sets: number; readonly members: number },
): Promise<void> {
  const seen = countSets(await inNamespace(namespace, ['ipset', 'list', '-t']), start);
  if (seen.sets === wanted.sets && seen.members === wanted.members) return;
  throw new Error(
    `the kernel has ${seen.sets} sets ${start}* with ${seen.members} members instead of ${wanted.sets} with ${wanted.members}`,
  );
}

/** Counts in the output of `ipset list -t`. */
export function countSets(listing: string, start: string): { readonly sets: number; readonly members: number } {
  let sets = 0;
  let members = 0;
  let isCounted = false;
  for (const line of listing.split('\n')) {
    if (line.startsWith('Name: ')) {
      isCounted = line.startsWith(`Name: ${start}`);
      if (isCounted) sets++;
    } else if (isCounted && line.startsWith(ENTRIES)) members += Number(line.slice(ENTRIES.length));
  }
  return { sets, members };
}

const ENTRIES = 'Number of entries: ';

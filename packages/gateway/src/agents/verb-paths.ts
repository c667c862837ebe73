import { type VerbName, verbs } from '@setkeeper/api';

/** What the part behind `/api/trpc/` asks for. */
export type VerbPath =
  | { readonly kind: 'verbs'; readonly isDocument: boolean }
  | { readonly kind: 'events' }
  | { readonly kind: 'unknown' };

/** Calls that a batch may hold; agents take no more. */
const batchMax = 50;
const documentVerbs: readonly string[] = ['model.put', 'model.validate'] satisfies VerbName[];

/** Reads the path of a call, or of a batch with commas between them. Only verbs that are listed exist. */
export function readVerbPath(path: string): VerbPath {
  if (path === 'events.watch') return { kind: 'events' };
  const names = path.split(',');
  if (names.length > batchMax || !names.every((name) => Object.hasOwn(verbs, name))) return { kind: 'unknown' };
  return { kind: 'verbs', isDocument: names.length === 1 && documentVerbs.includes(path) };
}

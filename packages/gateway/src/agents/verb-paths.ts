import { type VerbName, verbs } from '@setkeeper/api';

/** What the part behind `/api/trpc/` asks for. */
export type VerbPath = {
  readonly kind: 'verbs' | 'events' | 'unknown';
  /** It takes whole documents. */
  readonly isDocument: boolean;
  /** At least one of it changes something: nothing that a page asks by itself. */
  readonly acts: boolean;
};

/** Calls that a batch may hold; agents take no more. */
const batchMax = 50;
const documentVerbs: readonly string[] = ['model.put', 'model.validate'] satisfies VerbName[];

/** Reads the path of a call, or of a batch with commas between them. Only verbs that are listed exist. */
export function readVerbPath(path: string): VerbPath {
  if (path === 'events.watch') return { kind: 'events', isDocument: false, acts: false };
  const names = path.split(',');
  if (names.length > batchMax || !names.every(isVerb)) return { kind: 'unknown', isDocument: false, acts: false };
  return {
    kind: 'verbs',
    isDocument: names.length === 1 && documentVerbs.includes(path),
    acts: names.some((name) => isVerb(name) && verbs[name].kind === 'mutation'),
  };
}

const isVerb = (name: string): name is VerbName => Object.hasOwn(verbs, name);

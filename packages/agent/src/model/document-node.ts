/** One `key: value` of a mapping. Keys are always text, as written: `010:` is the id "010". `at` is an offset in the text. */
export interface DocumentEntry {
  readonly key: string;
  readonly at: number;
  readonly value: DocumentNode;
}

/**
 * A value of a YAML or JSON document, with its place. Scalars keep their written text (`010`, `1.10`, `tcp:80`): a model
 * has no numbers, and guessing types would change ids. `isPlain` tells `true` from `"true"`. Aliases share their node.
 */
export type DocumentNode =
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly DocumentEntry[] }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly DocumentNode[] }
  | { readonly kind: 'scalar'; readonly at: number; readonly text: string; readonly isPlain: boolean }
  | { readonly kind: 'null'; readonly at: number };

/** What was wrong with a text as YAML or JSON, and at which offset. */
export interface SyntaxFault {
  readonly at: number;
  readonly reason: string;
}

/** The documents of one text, or why it is none. An empty document is left out. */
export type ReadDocuments =
  | { readonly ok: true; readonly documents: readonly DocumentNode[] }
  | { readonly ok: false; readonly fault: SyntaxFault };

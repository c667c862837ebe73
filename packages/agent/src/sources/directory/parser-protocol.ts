import type { ParsedDocuments, ParsedObject } from '../../model/parse-documents.ts';
import type { ParsedFile } from './parsed-file.ts';

/**
 * What the agent asks of its parser thread, one thing at a time: a file of a model directory, or a text; and then, for
 * every piece of the answer that it has taken, the next one. Pieces that came unasked would all be taken in one turn.
 */
export type ParseRequest =
  | { readonly kind: 'next' }
  | { readonly kind: 'file'; readonly realRoot: string; readonly path: string }
  | { readonly kind: 'text'; readonly text: string; readonly path: string };

/** What the thread answers: objects in handy pieces, so that no message takes long to receive, then the rest. */
export type ParseAnswer =
  | { readonly kind: 'objects'; readonly objects: readonly ParsedObject[] }
  | { readonly kind: 'end'; readonly rest: Omit<ParsedFile, 'objects'> | Omit<ParsedDocuments, 'objects'> };

import type { ParsedObject } from '../../model/parse-documents.ts';
import type { ParsedFile } from './parsed-file.ts';

/** What the agent asks of its parser thread: one file at a time. */
export interface ParseRequest {
  readonly realRoot: string;
  readonly path: string;
}

/** What the thread answers: objects in handy pieces, so that no message takes long to receive, then the rest. */
export type ParseAnswer =
  | { readonly kind: 'objects'; readonly objects: readonly ParsedObject[] }
  | { readonly kind: 'end'; readonly file: Omit<ParsedFile, 'objects'> };

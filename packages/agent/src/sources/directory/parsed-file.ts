import type { Fault } from '@setkeeper/api';
import { MODEL_LIMITS } from '../../model/limits.ts';
import { type ParsedDocuments, type ParsedObject, parseDocuments } from '../../model/parse-documents.ts';
import { type FileSignature, NO_SIGNATURE } from './file-signature.ts';
import { readInside } from './read-inside.ts';

/** A file that an object's `files:` names, with what it was when it was read. */
export interface ListDependency {
  readonly path: string;
  readonly signature: FileSignature;
}

/** What one file of a model directory says, and what exactly was read for it. */
export interface ParsedFile {
  readonly signature: FileSignature;
  readonly lists: readonly ListDependency[];
  readonly extent: ParsedDocuments['extent'];
  readonly objects: readonly ParsedObject[];
  readonly faults: readonly Fault[];
}

/** The extensions of model documents. */
export const isDocumentPath = (path: string): boolean => /\.(ya?ml|json)$/u.test(path);

/** Reads and parses one file of a model directory, with the list files it names. Synchronous; never throws for what it finds. */
export function readModelFile(realRoot: string, path: string): ParsedFile {
  const content = readInside(realRoot, path, MODEL_LIMITS.documentBytesMax);
  if (!content.ok) return unreadableFile(path, content.reason);
  const lists = new Map<string, ListDependency>();
  const parsed = parseDocuments(content.text, {
    file: path,
    format: path.endsWith('.json') ? 'json' : 'yaml',
    lists: {
      read: (listPath) => {
        const list = readInside(realRoot, listPath, MODEL_LIMITS.listFileBytesMax);
        lists.set(listPath, { path: listPath, signature: list.ok ? list.signature : NO_SIGNATURE });
        return list;
      },
    },
  });
  return { signature: content.signature, lists: [...lists.values()], ...parsed };
}

/** A file that stands for nothing but the fault that it cannot be read. */
export const unreadableFile = (path: string, reason: string): ParsedFile => ({
  signature: NO_SIGNATURE,
  lists: [],
  extent: 'none',
  objects: [],
  faults: [{ file: path, line: 1, path: '', reason, severity: 'error' }],
});

import type { ParsedDocuments } from '../../model/parse-documents.ts';
import type { ParsedFile } from './parsed-file.ts';

/** Reads and parses model documents somewhere that blocks nobody. Never rejects: what takes too long or too much memory is a fault. */
export interface ModelParser {
  /** A file of a model directory. */
  parse(realRoot: string, path: string, bytes: number): Promise<ParsedFile>;
  /** Text that came over the API; faults name `file`. */
  parseText(text: string, file: string): Promise<ParsedDocuments>;
  close(): Promise<void>;
}

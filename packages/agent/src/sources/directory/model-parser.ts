import type { ParsedFile } from './parsed-file.ts';

/** Reads and parses files of a model directory somewhere that blocks nobody. */
export interface ModelParser {
  /** Never rejects: a file that cannot be read, takes too long or too much memory is a file with that fault. */
  parse(realRoot: string, path: string, bytes: number): Promise<ParsedFile>;
  close(): Promise<void>;
}

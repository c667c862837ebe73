import type { ModelParser } from './model-parser.ts';
import { readModelFile } from './parsed-file.ts';

/** Parses where it is called: for command lines and tests, which have nobody to keep waiting. */
export const inProcessParser: ModelParser = {
  parse: async (realRoot, path) => readModelFile(realRoot, path),
  close: async () => {},
};

import { parseGivenText } from './given-text.ts';
import type { ModelParser } from './model-parser.ts';
import { readModelFile } from './parsed-file.ts';

/** Parses where it is called: for command lines and tests, which have nobody to keep waiting. */
export const inProcessParser: ModelParser = {
  parse: async (realRoot, path) => readModelFile(realRoot, path),
  parseText: async (text, file) => parseGivenText(text, file),
  close: async () => {},
};

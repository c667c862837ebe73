import type { HouseRule } from '../project.ts';

const linesMax = 500;
const testLinesMax = 900;

/** Files that may be longer than the limit, each with its reason. An entry that is no longer needed is a fault too. */
const longWithCause: Readonly<Record<string, string>> = {};

/** One idea a file; the long one is the file that everybody edits and nobody reads. */
export const filesStaySmall: HouseRule = {
  name: 'files stay small',
  why: `A source file of more than ${linesMax} lines holds more than one idea: split it, or give its reason in tooling/check/rules/files-stay-small.ts.`,
  find: (project) =>
    [...project].flatMap(([path, text]) => {
      if (!/\.(ts|tsx|mjs|cjs|sh|css)$/.test(path)) return [];
      const lines = text.split('\n').length - 1;
      const limit = /\.test\.tsx?$/.test(path) ? testLinesMax : linesMax;
      const excused = longWithCause[path] !== undefined;
      if (lines > limit && !excused) return [{ path, message: `has ${lines} lines (${limit} at most)` }];
      if (lines <= limit && excused)
        return [{ path, message: 'is short enough now: take it off the list of long files' }];
      return [];
    }),
};

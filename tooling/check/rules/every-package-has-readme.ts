import { dirname } from 'node:path/posix';
import type { HouseRule } from '../project.ts';

const linesMax = 100;

/** A newcomer finds any behaviour in three steps, and the second of them is the package's README. */
export const everyPackageHasReadme: HouseRule = {
  name: 'every package has a README',
  why: 'The way into a package is its README of one screen: its purpose in one sentence, what it must not do, where to start reading.',
  find: (project) =>
    [...project.keys()]
      .filter((path) => path.endsWith('/package.json'))
      .flatMap((path) => {
        const readme = `${dirname(path)}/README.md`;
        const text = project.get(readme);
        if (text === undefined) return [{ path: dirname(path), message: 'has no README.md' }];
        const lines = text.split('\n').length;
        return lines > linesMax
          ? [{ path: readme, message: `has ${lines} lines; a package's README is one screen (${linesMax} at most)` }]
          : [];
      }),
};

import { type Fault, type HouseRule, numberedLines } from '../project.ts';

const path = 'docs/SECURITY.md';
const link = /\]\(\.\.\/([^)\s#]+)\)/gu;
/** What `./test` runs: a test file, a trial of the faults, or a stage of the packages. */
const proof = /(?:\.(?:test|spec)\.tsx?|^tooling\/faults\/trials\/[a-z-]+\.ts|^packaging\/package-tests\/[a-z-]+)$/u;

/** Each threat of docs/SECURITY.md names at least one test that exists. */
export const threatsNameTheirTests: HouseRule = {
  name: 'threats name their tests',
  why: 'A control that no test proves is a hope: name, in the last column of docs/SECURITY.md, the test that fails without it.',
  find: (project) => {
    const text = project.get(path);
    if (text === undefined) return [{ path, message: 'is missing' }];
    const threats = [...numberedLines(text)].filter(([, line]) => isThreat(line));
    if (threats.length === 0) return [{ path, message: 'names no threat' }];
    return threats.flatMap(([line, content]): Fault[] => {
      const named = [...content.matchAll(link)].map(([, target = '']) => target);
      return named.some((target) => proof.test(target) && project.has(target))
        ? []
        : [{ path, line, message: `names no test that exists: ${content.split('|')[1]?.trim() ?? ''}` }];
    });
  },
};

/** A row of a table with three columns that is neither its head nor the line below that. */
function isThreat(line: string): boolean {
  const cells = line.split('|');
  return cells.length === 5 && cells[1]?.trim() !== 'threat' && !/^\s*:?-+:?\s*$/u.test(cells[1] ?? '');
}

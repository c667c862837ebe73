import { type HouseRule, numberedLines } from '../project.ts';

const allowed = /^(packages\/(ipset|testkit)\/|packages\/agent\/src\/restore\/|bench\/|tooling\/check\/)|\.test\.ts$/;
const rendering = /\brender(Operation|Element)\b/;

/** A second rendering (native nftables sets) must be possible without touching anything above `restore`. */
export const restoreTextHasOneHome: HouseRule = {
  name: 'restore text has one home',
  why: "Restore text is known to packages/ipset and the agent's restore folder alone; everybody else works with typed operations.",
  find: (project) =>
    [...project].flatMap(([path, text]) =>
      !/\.tsx?$/.test(path) || allowed.test(path)
        ? []
        : [...numberedLines(text)].flatMap(([line, content]) => {
            const found = rendering.exec(content);
            return found === null ? [] : [{ path, line, message: `renders restore text itself (${found[0]})` }];
          }),
    ),
};

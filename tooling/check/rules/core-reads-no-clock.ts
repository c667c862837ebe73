import { type HouseRule, numberedLines } from '../project.ts';

const core = /^packages\/(ipset\/src|agent\/src\/(model|membership|sets|guard|plan))\/.*\.ts$/;
const world =
  /\b(Date\.now\(|new Date\(\)|performance\.now\(|Math\.random\(|setTimeout\(|setInterval\(|process\.(env|argv|exit|cwd)|console\.)/;

/** The part of "the core is pure" that no import shows: globals that reach the world. */
export const coreReadsNoClock: HouseRule = {
  name: 'the core reads no clock',
  why: 'packages/ipset and the pure folders of the agent get time, chance and environment as parameters, or their tests could not choose them.',
  find: (project) =>
    [...project].flatMap(([path, text]) => {
      if (!core.test(path) || path.endsWith('.test.ts')) return [];
      return [...numberedLines(text)].flatMap(([line, content]) => {
        const found = world.exec(content.replace(/^\s*(\*|\/\/).*|\s\/\/ .*$/, ''));
        return found === null ? [] : [{ path, line, message: `uses ${found[1]}` }];
      });
    }),
};

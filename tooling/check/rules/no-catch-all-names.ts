import { basename } from 'node:path/posix';
import type { HouseRule } from '../project.ts';

const catchAll = /^(utils?|helpers?|types?|common|misc|shared|constants|interfaces)(\.test)?\.(ts|tsx|mjs)$/;

/** A file is named for the one thing it exports; a name that fits everything attracts everything. */
export const noCatchAllNames: HouseRule = {
  name: 'no catch-all file names',
  why: 'utils, helpers, types and common are drawers, not ideas: name the file for what it promises.',
  find: (project) =>
    [...project.keys()]
      .filter((path) => catchAll.test(basename(path)))
      .map((path) => ({ path, message: 'is a catch-all name' })),
};

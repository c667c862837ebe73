import { type HouseRule, numberedLines } from '../project.ts';

/** A lockfile that names a registry installs from that registry only, on every machine. */
export const lockfileNamesNoHost: HouseRule = {
  name: 'the lockfile names no host',
  why: 'Where packages come from is a setting of the machine that installs; pnpm-lock.yaml says only which bytes (lockfileIncludeTarballUrl: false).',
  find: (project) => {
    const path = 'pnpm-lock.yaml';
    const text = project.get(path);
    if (text === undefined) return [{ path, message: 'is missing' }];
    return [...numberedLines(text)]
      .filter(([, content]) => /https?:\/\/|\btarball:/.test(content))
      .map(([line, content]) => ({ path, line, message: `names a host: ${content.trim()}` }));
  },
};

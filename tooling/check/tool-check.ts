import { execa } from 'execa';
import type { Check } from './check.ts';

/**
 * A check made by a program: fine if it exits 0. Its whole output is the detail when it does not.
 * Programs are found among the project's own first.
 */
export function toolCheck(name: string, root: string, command: readonly [string, ...string[]]): Check {
  const [program, ...args] = command;
  return {
    name,
    run: async () => {
      const result = await execa(program, args, {
        cwd: root,
        preferLocal: true,
        localDir: root,
        all: true,
        reject: false,
        stdin: 'ignore',
        env: { FORCE_COLOR: '0', NO_COLOR: '1' },
      });
      if (!result.failed) return { isFine: true, detail: '' };
      return { isFine: false, detail: result.all?.trim() || (result.shortMessage ?? 'failed without a word') };
    },
  };
}

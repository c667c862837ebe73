import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import type { Check } from './check.ts';
import { cruiseOptions, forbiddenEdges } from './dependency-rules.ts';

const folders = ['packages', 'apps', 'e2e', 'bench', 'tooling'];

/** No import runs along a forbidden edge. The detail names each offending import with the reason of its rule. */
export function importsCheck(root: string): Check {
  return {
    name: 'direction of imports',
    run: async () => {
      const { output, exitCode } = await cruise(
        folders.filter((folder) => existsSync(join(root, folder))),
        {
          ...cruiseOptions,
          baseDir: root,
          validate: true,
          ruleSet: { forbidden: [...forbiddenEdges] },
          outputType: 'err-long',
        },
      );
      return { isFine: exitCode === 0, detail: exitCode === 0 ? '' : String(output).trim() };
    },
  };
}

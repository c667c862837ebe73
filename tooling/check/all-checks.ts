import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Check } from './check.ts';
import { importsCheck } from './imports-check.ts';
import { readProject } from './project.ts';
import { ruleCheck } from './rule-check.ts';
import { coreReadsNoClock } from './rules/core-reads-no-clock.ts';
import { everyPackageHasReadme } from './rules/every-package-has-readme.ts';
import { filesStaySmall } from './rules/files-stay-small.ts';
import { linksResolve } from './rules/links-resolve.ts';
import { lockfileNamesNoHost } from './rules/lockfile-names-no-host.ts';
import { noCatchAllNames } from './rules/no-catch-all-names.ts';
import { noMachinePaths } from './rules/no-machine-paths.ts';
import { restoreTextHasOneHome } from './rules/restore-text-has-one-home.ts';
import { threatsNameTheirTests } from './rules/threats-name-their-tests.ts';
import { versionsAreExact } from './rules/versions-are-exact.ts';
import { toolCheck } from './tool-check.ts';

/** Everything `pnpm check` asks, in the order in which people want to know: format and types first. */
export function allChecks(root: string): readonly Check[] {
  let project: ReturnType<typeof readProject> | undefined;
  const readOnce = () => (project ??= readProject(root));
  const rules = [
    everyPackageHasReadme,
    filesStaySmall,
    noCatchAllNames,
    coreReadsNoClock,
    restoreTextHasOneHome,
    lockfileNamesNoHost,
    versionsAreExact,
    noMachinePaths,
    threatsNameTheirTests,
    linksResolve((path) => existsSync(join(root, path))),
  ];
  return [
    toolCheck('format and lint', root, [
      'biome',
      'ci',
      '--colors=off',
      '--diagnostic-level=error',
      '--max-diagnostics=50',
      '.',
    ]),
    ...typedFolders(root).map((folder) => toolCheck(`types of ${folder}`, root, ['tsc', '--noEmit', '-p', folder])),
    importsCheck(root),
    toolCheck('unused files, exports and dependencies', root, ['knip', '--no-progress', '--no-config-hints']),
    ...rules.map((rule) => ruleCheck(rule, readOnce)),
  ];
}

/** Every folder with a tsconfig.json of its own, e.g. `packages/ipset`. */
function typedFolders(root: string): readonly string[] {
  return globSync(['packages/*/tsconfig.json', 'apps/*/tsconfig.json', '{e2e,bench,tooling}/tsconfig.json'], {
    cwd: root,
  })
    .map(dirname)
    .sort();
}

/**
 * Bundles the programs of one package: `node tooling/build/main.ts packages/agent`.
 *
 * Every file of `src/entry` becomes a program of the same name in `dist`. Turborepo calls this through the package's
 * `build` script and keeps the result, so that an unchanged package is never bundled twice.
 */
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';

const folder = resolve(process.argv[2] ?? '.');
const entries = globSync('src/entry/*.ts', { cwd: folder })
  .filter((entry) => !entry.endsWith('.test.ts'))
  .sort();

if (entries.length === 0) {
  console.error(`${relative(process.cwd(), folder) || '.'} has no program to bundle: src/entry holds no .ts file`);
  process.exitCode = 1;
} else {
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  await build(bundleOptions(folder, entries));
  // What is bundled can be copied anywhere and still is a folder of ES modules.
  writeFileSync(join(folder, 'dist', 'package.json'), '{ "type": "module" }\n');
}

/**
 * Bundles the programs of one package: `node tooling/build/main.ts packages/agent [OUTPUT]`.
 *
 * Every file of `src/entry` becomes a program of the same name in `dist` (or OUTPUT), and what they are made of is written down beside
 * them. Turborepo calls this through the package's `build` script and keeps the result, so that an unchanged package is
 * never bundled twice.
 */
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.ts';
import { inventory } from './inventory.ts';

const folder = resolve(process.argv[2] ?? '.');
const output = resolve(process.argv[3] ?? join(folder, 'dist'));
const entries = globSync('src/entry/*.ts', { cwd: folder })
  .filter((entry) => !entry.endsWith('.test.ts'))
  .sort();

if (entries.length === 0) {
  console.error(`${relative(process.cwd(), folder) || '.'} has no program to bundle: src/entry holds no .ts file`);
  process.exitCode = 1;
} else {
  rmSync(output, { recursive: true, force: true });
  const options = bundleOptions(folder, entries, output);
  await build({ ...options, plugins: [...(options.plugins ?? []), ...inventory(output, basename(folder))] });
  // What is bundled can be copied anywhere and still is a folder of ES modules.
  writeFileSync(join(output, 'package.json'), '{ "type": "module" }\n');
}

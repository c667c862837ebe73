/**
 * Writes down what the console is made of: `node tooling/build/console-inventory.ts OUTPUT`.
 *
 * Next says of no module whether it went to the browser. So every page is bundled a second time, and thrown away: what is
 * imported, and not shaken off, is the same. The packages that Next itself carries within count as Next's.
 */
import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { inventory } from './inventory.ts';

const folder = join(import.meta.dirname, '..', '..', 'apps', 'console');
const output = resolve(process.argv[2] ?? '.');
await build({
  absWorkingDir: folder,
  entryPoints: globSync('src/app/**/*.tsx', { cwd: folder, exclude: (path) => path.endsWith('.test.tsx') }).toSorted(),
  bundle: true,
  write: false,
  outdir: output,
  platform: 'browser',
  format: 'esm',
  jsx: 'automatic',
  // Read while pages are made, and never sent.
  external: ['node:*'],
  loader: { '.css': 'empty' },
  define: { 'process.env.NODE_ENV': '"production"' },
  logLevel: 'warning',
  plugins: [...inventory(output, 'console')],
});

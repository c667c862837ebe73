import type { BuildOptions } from 'esbuild';
import { etcdProtocol } from './etcd-protocol.ts';

/**
 * How every program of the project is bundled: one folder of ES modules for Node 24 that needs no `node_modules` beside
 * it, readable (not minified, because an operator may have to read a stack trace) and with source maps.
 *
 * The banner gives bundled CommonJS dependencies the `require` that ES modules do not have. Splitting keeps what is
 * imported on demand out of the start-up path: `setkeeper name` must not load the whole agent.
 */
export function bundleOptions(folder: string, entries: readonly string[], output: string): BuildOptions {
  return {
    absWorkingDir: folder,
    entryPoints: [...entries],
    outdir: output,
    entryNames: '[name]',
    // All in one folder, so that __dirname is the same for every module of the bundle.
    chunkNames: 'chunk-[name]-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    conditions: ['node', 'import', 'module'],
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    sourcesContent: false,
    // The text of a program stays in memory, twice as large if one comment has a letter that is no ASCII. Names and lines stay.
    minifyWhitespace: true,
    lineLimit: 200,
    legalComments: 'linked',
    logLevel: 'warning',
    define: {
      'process.env.NODE_ENV': '"production"',
      __dirname: 'import.meta.dirname',
      __filename: 'import.meta.filename',
    },
    plugins: [etcdProtocol(output)],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  };
}

import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

const asked = '/../proto/rpc.proto`';

/**
 * etcd3 reads its protocol description from a folder beside its code when it is loaded. The bundle carries that folder
 * as `dist/proto` and reads it there, and the class of its 64-bit numbers. Fails the build if a later etcd3 does it in
 * another way.
 */
export function etcdProtocol(outputFolder: string): Plugin {
  return {
    name: 'etcd-protocol',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]etcd3[\\/]lib[\\/]connection-pool\.js$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        if (!code.includes(asked)) return { errors: [{ text: 'etcd3 no longer loads rpc.proto as expected' }] };
        cpSync(join(dirname(path), '..', 'proto'), join(outputFolder, 'proto'), { recursive: true });
        return { contents: code.replace(asked, '/proto/rpc.proto`'), loader: 'js' };
      });
      // protobufjs takes what `require` gives for the class itself, which the ES module of `long` is not: it would go on
      // without, and read the 64-bit numbers of etcd as inexact ones.
      build.onResolve({ filter: /^long$/ }, ({ kind, importer }) =>
        kind === 'require-call' ? { path: createRequire(importer).resolve('long') } : undefined,
      );
    },
  };
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { bundleOptions } from './bundle-options.ts';

/** The part of the agent's connector that is asked here. */
interface Bundled {
  createEtcd3Connector(options: { readonly prefix: string }): (endpoint: string) => Promise<{
    position(): Promise<unknown>;
    close(): void;
  }>;
}

it('carries a client of etcd that works out of the bundle, with its protocol', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'packages', 'agent');
  const output = mkdtempSync(join(tmpdir(), 'sk-bundle-'));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const options = bundleOptions(folder, ['src/sources/etcd/etcd3-connector.ts'], output);
  const { metafile } = await build({ ...options, metafile: true });
  // Only what `require('long')` gives in Node makes 64-bit numbers exact: a cluster id or a revision is one.
  const longs = Object.keys(metafile.inputs).filter((path) => path.includes('/node_modules/long/'));
  expect(longs.map((path) => path.slice(path.lastIndexOf('/long/')))).toEqual(['/long/umd/index.js']);
  const bundled = (await import(pathToFileURL(join(output, 'etcd3-connector.js')).href)) as Bundled;
  const connection = await bundled.createEtcd3Connector({ prefix: '/x/' })('http://127.0.0.1:1');
  onTestFinished(() => connection.close());
  await expect(connection.position()).rejects.toThrow(/ECONNREFUSED|UNAVAILABLE|connect/iu);
});

// Loads a model directory into etcd, one key an object, as the layout `setkeeper` reads it:
//
//   node examples/etcd/load.ts examples/model http://127.0.0.1:2379
//
// Objects below the prefix that the directory does not have are deleted, so that etcd holds exactly the model. It speaks
// etcd's JSON gateway and needs nothing but Node.
import { validateDirectory } from '../../packages/agent/src/index.ts';

const [directory = 'examples/model', endpoint = 'http://127.0.0.1:2379', prefix = '/setkeeper/v1'] = process.argv.slice(2);
const sections: Readonly<Record<string, string>> = {
  profile: 'profiles',
  endpoint: 'endpoints',
  network: 'networks',
  list: 'lists',
  host: 'hosts',
  references: 'references',
};

const { ok, faults, objects } = await validateDirectory(directory);
if (!ok) {
  for (const { file, line, path, reason } of faults) console.error(`${file}:${line}: ${path}: ${reason}`);
  process.exit(1);
}

const wanted = new Map<string, string>();
for (const { key, text } of objects) {
  const slash = key.indexOf('/');
  wanted.set(`${prefix}/${sections[key.slice(0, slash)]}/${key.slice(slash + 1)}`, withoutFiles(text));
}
const there = new Set(await keysBelow(`${prefix}/`));
const operations = [
  ...[...wanted].map(([key, value]) => ({ requestPut: { key: base64(key), value: base64(value) } })),
  ...[...there].filter((key) => !wanted.has(key)).map((key) => ({ requestDeleteRange: { key: base64(key) } })),
];
// etcd takes up to 128 operations a transaction: each is one change for whoever follows.
for (let at = 0; at < operations.length; at += 128) {
  await ask('kv/txn', { success: operations.slice(at, at + 128) });
}
console.log(`${wanted.size} objects of ${directory} are in ${endpoint} below ${prefix}`);

async function ask(path: string, body: unknown): Promise<unknown> {
  const answer = await fetch(`${endpoint}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${endpoint} says ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function keysBelow(start: string): Promise<readonly string[]> {
  const end = start.slice(0, -1) + String.fromCharCode(start.charCodeAt(start.length - 1) + 1);
  const found = (await ask('kv/range', { key: base64(start), rangeEnd: base64(end), keysOnly: true })) as {
    kvs?: readonly { key: string }[];
  };
  return (found.kvs ?? []).map(({ key }) => Buffer.from(key, 'base64').toString());
}

/** In etcd a network stands with its networks written out: files belong to a directory. */
function withoutFiles(text: string): string {
  const { files, ...rest } = JSON.parse(text) as { files?: unknown };
  return files === undefined ? text : JSON.stringify(rest);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

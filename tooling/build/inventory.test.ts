import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inventoryFiles } from './inventory.ts';
import { type BillOfMaterials, declaredLicenses, licenseTexts, nameOf, thirdParties } from './third-party-notices.ts';

/**
 * Every package of others that runs beside the right to change this host's sets. One more is a decision: say in the
 * commit what it is for, and who else could do the work.
 */
const AGENT_PACKAGES = `
@fastify/ajv-compiler
@fastify/deepmerge
@fastify/error
@fastify/fast-json-stringify-compiler
@fastify/forwarded
@fastify/merge-json-schemas
@fastify/proxy-addr
@grpc/grpc-js
@grpc/proto-loader
@js-sdsl/ordered-map
@opentelemetry/api
@pinojs/redact
@protobufjs/aspromise
@protobufjs/base64
@protobufjs/codegen
@protobufjs/eventemitter
@protobufjs/fetch
@protobufjs/float
@protobufjs/path
@protobufjs/pool
@protobufjs/utf8
@sec-ant/readable-stream
@sindresorhus/merge-streams
@trpc/server
abstract-logging
ajv
ajv-formats
atomic-sleep
avvio
bignumber.js
bintrees
cockatiel
colorette
cookie
dateformat
dequal
end-of-stream
etcd3
execa
fast-copy
fast-decode-uri-component
fast-deep-equal
fast-json-stringify
fast-querystring
fast-safe-stringify
fast-uri
fastify
fastq
figures
find-my-way
get-stream
human-signals
ipaddr.js
is-plain-obj
is-stream
is-unicode-supported
jose
json-schema-ref-resolver
json-schema-traverse
light-my-request
lodash.camelcase
long
npm-run-path
on-exit-leak-free
once
parse-ms
path-key
picomatch
pino
pino-abstract-transport
pino-pretty
pino-std-serializers
pretty-ms
process-warning
prom-client
protobufjs
pump
quick-format-unescaped
ret
reusify
rfdc
safe-regex2
safe-stable-stringify
secure-json-parse
semver
set-cookie-parser
signal-exit
sonic-boom
split2
strip-final-newline
tdigest
thread-stream
toad-cache
unicorn-magic
which-command
wrappy
yaml
yoctocolors
zod
`.trim();

/** Licenses that ask for no more than to be named. */
const LICENSES = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT']);

/** Packages that declare a license and carry no text of it. */
const WITHOUT_TEXT = new Set(['@edge-runtime/cookies', 'abstract-logging', 'react-remove-scroll-bar']);

/** Bundles the programs of a package somewhere else, by the build's own programs, and reads what they are made of. */
async function take(name: string) {
  const root = join(import.meta.dirname, '..', '..');
  const output = mkdtempSync(join(tmpdir(), 'sk-inventory-'));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const build = name === 'console' ? ['console-inventory.ts'] : ['main.ts', join(root, 'packages', name)];
  await execa(process.execPath, [...build, output], { cwd: import.meta.dirname });
  const { bill, notices } = inventoryFiles(output, name);
  const text = readFileSync(bill, 'utf8');
  return { text, bill: JSON.parse(text) as BillOfMaterials, notices: readFileSync(notices, 'utf8') };
}

describe.each(['agent', 'gateway', 'cli', 'console'])('the inventory of %s', (name) => {
  it('knows the licenses of every package, and their texts', async () => {
    const { text, bill, notices } = await take(name);
    const parties = thirdParties(bill);
    const unclear = parties.filter((party) => !declaredLicenses(party).some((license) => LICENSES.has(license)));
    expect(unclear.map(nameOf)).toEqual([]);
    const silent = parties.filter((party) => licenseTexts(party).length === 0).map(nameOf);
    expect(silent.filter((party) => !WITHOUT_TEXT.has(party))).toEqual([]);
    for (const party of parties) expect(notices).toContain(`${nameOf(party)} ${party.version}`);
    // Where it was built is nobody's business.
    expect(text).not.toContain(process.cwd());
  });
});

it('lists every package of others in the bundle of the agent, and knows no other', async () => {
  const first = await take('agent');
  const names = [...new Set(thirdParties(first.bill).map(nameOf))];
  console.log(`the agent bundles ${names.length} packages of others`);
  expect(names.join('\n')).toBe(AGENT_PACKAGES);
  expect((await take('agent')).text, 'the same bundle has the same bill').toBe(first.text);
});

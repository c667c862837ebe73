import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseOptions } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cruiseOptions, forbiddenEdges } from './dependency-rules.ts';

/** For each rule: a file that breaks it, and what it imports. */
const offences: Readonly<Record<string, readonly [file: string, imported: string]>> = {
  'no-cycles': ['packages/agent/src/store/cycle-a.ts', './cycle-b.ts'],
  resolvable: ['packages/agent/src/store/lost.ts', 'nowhere-to-be-found'],
  'one-door-a-package': ['packages/cli/src/deep.ts', '../../agent/src/store/cycle-b.ts'],
  'ipset-stands-alone': ['packages/ipset/src/member.ts', '../../api/src/index.ts'],
  'ipset-is-pure': ['packages/ipset/src/name.ts', 'node:fs'],
  'api-is-only-the-contract': ['packages/api/src/verb.ts', '../../agent/src/index.ts'],
  'api-does-no-io': ['packages/api/src/read.ts', 'node:fs/promises'],
  'agent-knows-no-front': ['packages/agent/src/server/front.ts', '../../../gateway/src/index.ts'],
  'gateway-knows-no-agent': ['packages/gateway/src/peek.ts', '../../agent/src/index.ts'],
  'gateway-starts-no-process': ['packages/gateway/src/spawn.ts', 'node:child_process'],
  'cli-knows-no-console': ['packages/cli/src/page.ts', '../../../apps/console/src/index.ts'],
  'console-imports-api-types-only': ['apps/console/src/client.ts', '../../../packages/api/src/index.ts'],
  'console-knows-api-alone': ['apps/console/src/parse.ts', '../../../packages/ipset/src/index.ts'],
  'testkit-is-for-tests': ['packages/agent/src/kernel/fake.ts', '../../../testkit/src/index.ts'],
  'testkit-knows-ipset-alone': ['packages/testkit/src/builder.ts', '../../agent/src/index.ts'],
  'agent-core-knows-no-adapter': ['packages/agent/src/plan/plan.ts', '../store/cycle-b.ts'],
  'agent-core-is-pure': ['packages/agent/src/membership/index-of.ts', 'node:fs'],
  'nobody-imports-main': ['packages/agent/src/sources/directory.ts', '../main.ts'],
  'only-the-launcher-starts-children': ['packages/agent/src/kernel/spawn.ts', 'execa'],
  'only-the-store-opens-the-database': ['packages/agent/src/holders/cache.ts', 'node:sqlite'],
  'only-the-server-speaks-http': ['packages/agent/src/restore/listen.ts', 'fastify'],
  'only-sources-speak-etcd': ['packages/agent/src/store/etcd.ts', 'etcd3'],
  'products-know-no-tooling': ['packages/gateway/src/build.ts', '../../../tooling/build.ts'],
};

const innocent = [
  ...['agent', 'api', 'gateway', 'ipset', 'testkit'].map((name) => `packages/${name}/src/index.ts`),
  'apps/console/src/index.ts',
  'packages/agent/src/main.ts',
  'tooling/build.ts',
];

describe('the direction of imports', () => {
  let root: string;
  let broken: ReadonlySet<string>;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'setkeeper-imports-'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    write('package.json', '{"type":"module","dependencies":{"execa":"1","fastify":"1","etcd3":"1"}}');
    for (const name of ['execa', 'fastify', 'etcd3']) {
      write(`node_modules/${name}/package.json`, `{"name":"${name}","version":"1.0.0","main":"index.js"}`);
      write(`node_modules/${name}/index.js`, 'module.exports = {};\n');
    }
    for (const path of innocent) write(path, 'export const x = 1;\n');
    for (const [file, imported] of Object.values(offences)) {
      write(file, `import * as x from '${imported}';\nexport const y = x;\n`);
    }
    write('packages/agent/src/store/cycle-b.ts', "import { y } from './cycle-a.ts';\nexport const z = y;\n");
    // What is allowed must stay allowed.
    write('packages/agent/src/plan/plan.test.ts', "import 'node:fs';\nimport '../../../testkit/src/index.ts';\n");
    write(
      'apps/console/src/types.ts',
      "import type { x } from '../../../packages/api/src/index.ts';\nexport type X = typeof x;\n",
    );
    const options: ICruiseOptions = {
      ...cruiseOptions,
      baseDir: root,
      validate: true,
      ruleSet: { forbidden: [...forbiddenEdges] },
    };
    const { output } = await cruise(['packages', 'apps', 'tooling'], options);
    if (typeof output === 'string') throw new Error('dependency-cruiser gave text, not a result');
    broken = new Set(output.summary.violations.map(({ rule, from }) => `${rule.name} ${from}`));
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(forbiddenEdges.map(({ name }) => name ?? ''))('%s bites', (name) => {
    expect(broken).toContain(`${name} ${offences[name]?.[0]}`);
  });

  it('explains every forbidden edge in a sentence', () => {
    for (const { name, comment } of forbiddenEdges) expect(comment, name).toMatch(/^[A-Za-z].{30,}\.$/);
  });

  it('leaves tests and type imports alone', () => {
    const blamed = [...broken].map((line) => line.split(' ')[1]);
    expect(blamed).not.toContain('packages/agent/src/plan/plan.test.ts');
    expect(blamed).not.toContain('apps/console/src/types.ts');
  });
});

import { describe, expect, it } from 'vitest';
import type { HouseRule } from './project.ts';
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

function places(rule: HouseRule, files: Record<string, string>): string[] {
  return rule
    .find(new Map(Object.entries(files)))
    .map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
}

describe('house rules', () => {
  it('find a package without a README, and a README longer than a screen', () => {
    const files = {
      'packages/a/package.json': '{}',
      'packages/b/package.json': '{}',
      'packages/b/README.md': '\n'.repeat(101),
    };
    expect(places(everyPackageHasReadme, files)).toEqual(['packages/a', 'packages/b/README.md']);
  });

  it('find a long file, and allow a test to be longer', () => {
    const files = { 'a.ts': '\n'.repeat(501), 'b.ts': '\n'.repeat(500), 'c.test.ts': '\n'.repeat(900) };
    expect(places(filesStaySmall, files)).toEqual(['a.ts']);
  });

  it('find catch-all names in any folder', () => {
    const files = {
      'x/utils.ts': '',
      'x/types.ts': '',
      'x/set-type.ts': '',
      'helpers.test.ts': '',
      'x/common.tsx': '',
    };
    expect(places(noCatchAllNames, files)).toEqual(['x/utils.ts', 'x/types.ts', 'helpers.test.ts', 'x/common.tsx']);
  });

  it('find a clock in the core but not in its tests, its comments or the adapters', () => {
    const text = 'const a = 1;\nconst now = Date.now();\n';
    const files = {
      'packages/agent/src/plan/plan.ts': text,
      'packages/ipset/src/member.ts': ' * unlike Date.now(), which\nlet x = 1; // never Date.now()\n',
      'packages/agent/src/plan/plan.test.ts': text,
      'packages/agent/src/store/store.ts': text,
    };
    expect(places(coreReadsNoClock, files)).toEqual(['packages/agent/src/plan/plan.ts:2']);
  });

  it('find restore text outside of its home', () => {
    const text = "import { renderOperation } from '@setkeeper/ipset';\n";
    const files = { 'packages/agent/src/sets/a.ts': text, 'packages/agent/src/restore/a.ts': text };
    expect(places(restoreTextHasOneHome, files)).toEqual(['packages/agent/src/sets/a.ts:1']);
  });

  it('find a registry in the lockfile', () => {
    const text = 'packages:\n  a@1.0.0:\n    resolution: {tarball: https://registry.example/a.tgz}\n';
    expect(places(lockfileNamesNoHost, { 'pnpm-lock.yaml': text })).toEqual(['pnpm-lock.yaml:3']);
    expect(places(lockfileNamesNoHost, {})).toEqual(['pnpm-lock.yaml']);
  });

  it('find versions that are not exact, and dependencies past the catalog', () => {
    const files = {
      'pnpm-workspace.yaml': 'catalog:\n  a: 1.2.3\n  b: ^1.2.3\n  c: latest\n  d: 1.0.0-rc.1\n',
      'packages/a/package.json':
        '{"dependencies":{"a":"catalog:","e":"1.0.0","@setkeeper/ipset":"workspace:*","@setkeeper/api":"*"}}',
    };
    expect(places(versionsAreExact, files)).toEqual([
      'pnpm-workspace.yaml',
      'pnpm-workspace.yaml',
      'packages/a/package.json',
      'packages/a/package.json',
    ]);
  });

  it('find a path that exists on one machine only', () => {
    const files = {
      'a.ts': `open('/ro${'ot/'}x');\n`,
      'b.md': `see /wo${'rk/'}main`,
      'c.ts': "open('/etc/setkeeper/x')",
    };
    expect(places(noMachinePaths, files)).toEqual(['a.ts:1', 'b.md:1']);
  });

  it('find links to files and headings that do not exist, outside of code', () => {
    const files = {
      'docs/a.md':
        '# A\n[ok](b.md#the-end) [x](c.md)\n[y](b.md#no)\n`[z](no.md)`\n```\n[q](no.md)\n```\n[w](https://example.org)\n',
      'docs/b.md': '# B\n## The end\n',
    };
    const rule = linksResolve((path) => path in files);
    expect(places(rule, files)).toEqual(['docs/a.md:2', 'docs/a.md:3']);
  });

  it('find a threat that names no test, or none that exists', () => {
    const rows = [
      '| threat | control | proved by |',
      '| ------ | ------- | --------- |',
      '| a | b | [c](../x/c.test.ts) |',
      '| d | e | [f](../x/f.ts) |',
      '| g | h | [i](../x/gone.test.ts) |',
      '| j | k | hope |',
      '| l | m | [n](../tooling/faults/trials/n.ts) |',
    ];
    const files = {
      'x/c.test.ts': '',
      'x/f.ts': '',
      'tooling/faults/trials/n.ts': '',
      'docs/SECURITY.md': rows.join('\n'),
    };
    expect(places(threatsNameTheirTests, files)).toEqual([4, 5, 6].map((line) => `docs/SECURITY.md:${line}`));
    expect(places(threatsNameTheirTests, { 'docs/SECURITY.md': 'No table.' })).toEqual(['docs/SECURITY.md']);
  });
});

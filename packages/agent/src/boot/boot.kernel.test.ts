import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerbName, verbs } from '@setkeeper/api';
import { type TestNamespace, whyNoNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { savedMembers, withAgent } from '../daemon/testing/with-agent.ts';

const why = await whyNoNamespace();
if (why !== null) console.warn(`skipped: ${why}`);

type Answer<Verb extends VerbName> = z.output<(typeof verbs)[Verb]['output']>;

const SCRIPT = join(import.meta.dirname, '../../../../packaging/boot/setkeeper-boot');
const boot = (namespace: TestNamespace, directory: string) => namespace.exec(SCRIPT, ['--directory', directory]);

const MODEL = `
profiles:
  web: { tags: [web] }
endpoints:
  a: { profiles: [web], ipv4: [10.65.0.1], ipv6: ["2001:db8::1"], ports: { http: "tcp:8080" } }
networks:
  corp: { nets: [10.0.0.0/8, 0.0.0.0/0, "2001:db8:1::/48"], except: [10.1.0.0/16] }
lists:
  trusted: { members: ["tag:web", "net:corp"] }
hosts:
  node-a: { ipv4: 192.0.2.1 }
`;
const RULES = `*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
-A OUTPUT -m set --match-set sk-v4-t.web dst -j DROP
-A OUTPUT -m set --match-set sk-l.trusted dst -j ACCEPT
COMMIT
`;

describe.skipIf(why !== null)('a reboot', () => {
  it('has every set before the rules that name it, without any source, and the agent takes them over as they are', () =>
    withAgent(
      async ({ bench, agent, namespace }) => {
        await bench.settled();
        const before = await namespace.ipset(['save']);
        expect(await agent.end('SIGTERM')).toBe(0);

        // What a reboot does to the kernel; and its source is gone, too.
        await destroyAll(namespace);
        renameSync(join(bench.folder, 'model'), join(bench.folder, 'model-out-of-reach'));
        const tooEarly = await namespace.exec('iptables-restore', [], { input: RULES });
        expect(tooEarly.exitCode).not.toBe(0);

        const { exitCode, stderr } = await boot(namespace, join(bench.folder, 'boot.d'));
        expect(stderr).toBe('setkeeper-boot: loaded 2 files\n');
        expect(exitCode).toBe(0);
        expect(contentOf(await namespace.ipset(['save']))).toEqual(contentOf(before));

        expect(await namespace.exec('iptables-restore', [], { input: RULES })).toMatchObject({ exitCode: 0 });
        await namespace.exec('ip', ['route', 'add', 'local', '10.0.0.0/8', 'dev', 'lo']);
        await namespace.exec('bash', ['-c', 'echo > /dev/udp/10.65.0.1/9; echo > /dev/udp/10.66.0.1/9']);
        const rules = (await namespace.exec('iptables-save', ['-c'])).stdout;
        expect(rules).toMatch(/^\[1:\d+\] -A OUTPUT -m set --match-set sk-v4-t\.web dst -j DROP$/mu);
        expect(rules).toMatch(/^\[[1-9]\d*:\d+\] -A OUTPUT -m set --match-set sk-l\.trusted dst -j ACCEPT$/mu);

        await bench.start();
        const sets = await bench.until<Answer<'sets.list'>>(
          'sets.list',
          { limit: 100 },
          ({ items }) => items.length > 0 && items.every(({ sync, phase }) => sync === 'in-sync' && phase === 'live'),
        );
        expect(sets.items.every(({ adopted }) => adopted)).toBe(true);
        expect(contentOf(await namespace.ipset(['save']))).toEqual(contentOf(before));
        const runs = await bench.query<Answer<'runs.list'>>('runs.list', {});
        expect(runs.items.map(({ cause }) => cause)).toEqual(['start']);
      },
      { startTimeoutSeconds: 1 },
      (bench) => bench.write('model.yaml', MODEL),
    ));

  it('finds what was acknowledged before a kill, and `export` gives the same', () =>
    withAgent(
      async ({ bench, agent, namespace }) => {
        await bench.settled();
        await expect.poll(() => existsSync(join(bench.folder, 'boot.d/2-lists-00001.restore'))).toBe(true);
        const before = contentOf(await namespace.ipset(['save']));
        const { text } = await bench.query<Answer<'model.export'>>('model.export', { format: 'restore' });
        await agent.end('SIGKILL');
        for (const load of [
          () => boot(namespace, join(bench.folder, 'boot.d')),
          () => namespace.exec('ipset', ['restore'], { input: text }),
        ]) {
          await destroyAll(namespace);
          expect(await load()).toMatchObject({ exitCode: 0 });
          expect(contentOf(await namespace.ipset(['save']))).toEqual(before);
        }
      },
      {},
      (bench) => bench.write('model.yaml', MODEL),
    ));

  it('with an agent at work already loads nothing: what the agent programmed is newer', () =>
    withAgent(
      async ({ bench, namespace }) => {
        await bench.settled();
        const stale = mkdtempSync(join(tmpdir(), 'sk-stale-'));
        writeFileSync(
          join(stale, '1-sets-00001.restore'),
          'create sk-v4-t.web hash:ip family inet\nadd sk-v4-t.web 10.9.9.9\n# end\n',
        );
        const { exitCode, stderr } = await boot(namespace, stale);
        expect(exitCode).toBe(0);
        expect(stderr).toContain('an agent is at work here');
        expect(await savedMembers(namespace, 'sk-v4-t.web')).toEqual(['10.65.0.1']);
        rmSync(stale, { recursive: true });
      },
      {},
      (bench) => bench.write('model.yaml', MODEL),
    ));
});

describe.skipIf(why !== null)('setkeeper-boot', () => {
  const withFiles = (
    files: Readonly<Record<string, string>>,
    work: (namespace: TestNamespace, folder: string) => Promise<void>,
  ): Promise<void> =>
    withNetworkNamespace(async (namespace) => {
      const folder = mkdtempSync(join(tmpdir(), 'sk-boot-'));
      try {
        for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
        await work(namespace, folder);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  const set = (name: string, ...members: string[]): string =>
    `create ${name} hash:ip family inet hashsize 64 maxelem 1024\n${members.map((member) => `add ${name} ${member}\n`).join('')}`;

  it('names each file that fails, loads the rest of it set by set, and goes on', () =>
    withFiles(
      {
        '1-sets-00001.restore': `${set('a', '10.0.0.1')}${set('taken', '10.0.0.2')}${set('b', '10.0.0.3')}# end\n`,
        '1-sets-00002.restore': `${set('c', '10.0.0.4')}add c 10.0`,
        '1-sets-00003.restore': `${set('d', '10.0.0.5')}# end\n`,
        '2-lists-00001.restore': 'create l list:set size 8\nadd l a\nadd l d\n# end\n',
      },
      async (namespace, folder) => {
        await namespace.ipset(['create', 'taken', 'hash:net']);
        const { exitCode, stderr } = await boot(namespace, folder);
        expect(exitCode).toBe(1);
        expect(stderr).toMatch(/FAILED .*1-sets-00001\.restore: ipset v.*Set cannot be created/u);
        expect(stderr).toContain('set taken is not whole');
        expect(stderr).toMatch(/FAILED .*1-sets-00002\.restore: it was cut short/u);
        expect(stderr).toContain('2 of 4 files FAILED');
        for (const [name, members] of Object.entries({
          a: ['10.0.0.1'],
          b: ['10.0.0.3'],
          c: ['10.0.0.4'],
          d: ['10.0.0.5'],
          l: ['a', 'd'],
        }))
          expect(await savedMembers(namespace, name), name).toEqual(members);
      },
    ));

  it.each([
    ['an option that writes a file', (folder: string) => `${set('a', '10.0.0.1')}list -f ${folder}/written a\n# end\n`],
    ['an option in a word of a line', (folder: string) => `${set('a', `-f ${folder}/written`)}# end\n`],
    ['a command that is none of its own', () => `${set('a', '10.0.0.1')}flush other\n# end\n`],
    ['a name to look up', () => `${set('a', 'localhost')}# end\n`],
    ['a line that ipset would cut in two', () => `${set('a', '10.0.0.1')}# ${'x'.repeat(1_021)}destroy other\n# end\n`],
  ])('loads nothing of a file with %s', (_what, text) =>
    withNetworkNamespace(async (namespace) => {
      const folder = mkdtempSync(join(tmpdir(), 'sk-boot-'));
      const directory = join(folder, 'boot.d');
      mkdirSync(directory);
      writeFileSync(join(directory, '1-sets-00001.restore'), text(folder));
      await namespace.ipset(['restore'], 'create other hash:ip\nadd other 10.0.0.9\n');
      const { exitCode, stderr } = await boot(namespace, directory);
      expect(exitCode).toBe(1);
      expect(stderr).toContain('lines that the agent never writes');
      expect(await savedMembers(namespace, 'a')).toBeUndefined();
      expect(await savedMembers(namespace, 'other')).toEqual(['10.0.0.9']);
      expect(existsSync(join(folder, 'written'))).toBe(false);
      rmSync(folder, { recursive: true });
    }),
  );

  it('looks up no name that a list gives to a set of addresses', () =>
    withFiles(
      { '2-lists-00001.restore': `${set('a')}create l list:set size 8\nadd a localhost\n# end\n` },
      async (namespace, folder) => {
        expect(await boot(namespace, folder)).toMatchObject({ exitCode: 1 });
        expect(await savedMembers(namespace, 'a')).toBeUndefined();
      },
    ));

  it('says so where there is nothing to load, no ipset, or a wrong word', () =>
    withFiles({}, async (namespace, folder) => {
      expect(await boot(namespace, folder)).toMatchObject({ exitCode: 0 });
      expect(await boot(namespace, join(folder, 'none'))).toMatchObject({ exitCode: 0 });
      const missing = await namespace.exec(SCRIPT, ['--ipset', join(folder, 'none')]);
      expect(missing).toMatchObject({ exitCode: 1 });
      expect(missing.stderr).toContain('there is no');
      expect(await namespace.exec(SCRIPT, ['--dir'])).toMatchObject({ exitCode: 2 });
    }));
});

/** What a reboot does. A list keeps its members in use. */
async function destroyAll(namespace: TestNamespace): Promise<void> {
  await namespace.ipset(['destroy', 'sk-l.trusted']);
  await namespace.ipset(['destroy']);
}

/** What `ipset save` tells of content: members sorted, creates without what the kernel draws anew (initval, hashsize). */
function contentOf(save: string): readonly string[] {
  return save
    .split('\n')
    .filter((line) => line !== '' && !/^\S+ sk-(?:ack|tmp)-/u.test(line))
    .map((line) => line.replace(/ (?:initval|bucketsize|hashsize) \S+/gu, ''))
    .toSorted();
}

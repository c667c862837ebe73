import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';

const folder = join(import.meta.dirname, '..', '..', 'packaging', 'systemd');

/** The most that `systemd-analyze security` may say of each service (0 is a service that can do nothing, 10 root). */
const EXPOSURE_MAX: Readonly<Record<string, number>> = {
  'setkeeper.service': 2.0,
  'setkeeper-boot.service': 2.0,
  'setkeeper-holders.service': 1.8,
  'setkeeper-gateway.service': 1.5,
};

const units = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const));
const settings = (unit: string, key: string): readonly string[] =>
  [...(units.get(unit) ?? '').matchAll(new RegExp(`^${key}=(.*)$`, 'gmu'))].flatMap(([, value = '']) =>
    value.split(' '),
  );

describe('the systemd services', () => {
  let hasAnalyzer = false;
  beforeAll(async () => {
    hasAnalyzer = !(await execa('systemd-analyze', ['--version'], { reject: false })).failed;
  });

  it('are all measured', () => {
    expect([...units.keys()].filter((name) => name.endsWith('.service')).toSorted()).toEqual(
      Object.keys(EXPOSURE_MAX).toSorted(),
    );
  });

  for (const [unit, exposureMax] of Object.entries(EXPOSURE_MAX)) {
    it(`${unit} is exposed by ${exposureMax.toFixed(1)} at most`, async ({ skip }) => {
      if (!hasAnalyzer) skip('needs systemd-analyze (package systemd), which is not installed');
      const { stdout } = await execa('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
        cwd: folder,
        reject: false,
      });
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/u.exec(stdout)?.[1]);
      console.log(`${unit}: exposure ${exposure.toFixed(1)} (at most ${exposureMax.toFixed(1)})`);
      expect(exposure).toBeLessThanOrEqual(exposureMax);
    });
  }

  it('are units that systemd understands', async ({ skip }) => {
    if (!hasAnalyzer) skip('needs systemd-analyze (package systemd), which is not installed');
    const { stderr } = await execa('systemd-analyze', ['verify', '--man=no', ...units.keys()], {
      cwd: folder,
      env: { SYSTEMD_UNIT_PATH: `${folder}:` },
      reject: false,
    });
    // The programs are not installed where this is tested.
    const ours = stderr.split('\n').filter((line) => line.includes('setkeeper') && !line.includes('is not executable'));
    expect(ours).toEqual([]);
  });

  it('see the whole of /proc where tools list rules and sets, or the tools would print nothing and end well', () => {
    for (const unit of ['setkeeper.service', 'setkeeper-holders.service', 'setkeeper-boot.service'])
      expect(settings(unit, 'ProcSubset'), unit).toEqual([]);
  });

  it('let setpriv bind children to the agent: it sets the rights it has, and cannot start without', () => {
    expect(settings('setkeeper.service', 'SystemCallFilter').at(-1)).toBe('capset');
  });

  it('tell the agent alone to end, so that its restore child ends a section first', () => {
    expect(settings('setkeeper.service', 'KillMode')).toEqual(['mixed']);
  });

  it('let Node compile', () => {
    for (const [unit, text] of units)
      if (text.includes('/node ')) expect(settings(unit, 'MemoryDenyWriteExecute'), unit).toEqual([]);
  });

  it('give each process the rights that it needs and no other', () => {
    for (const [unit, capabilities] of [
      ['setkeeper.service', ['CAP_NET_ADMIN']],
      ['setkeeper-boot.service', ['CAP_NET_ADMIN']],
      ['setkeeper-holders.service', ['CAP_NET_ADMIN', 'CAP_NET_RAW']],
    ] as const) {
      expect(settings(unit, 'AmbientCapabilities'), unit).toEqual(capabilities);
      expect(settings(unit, 'CapabilityBoundingSet'), unit).toEqual(capabilities);
      expect(settings(unit, 'User'), unit).toEqual(['setkeeper']);
    }
    expect(settings('setkeeper-gateway.service', 'AmbientCapabilities')).toEqual([]);
    expect(settings('setkeeper-gateway.service', 'CapabilityBoundingSet')).toEqual(['']);
    expect(settings('setkeeper-gateway.service', 'User')).toEqual(['setkeeper-gateway']);
  });

  it('load the sets before every tool that loads rules', () => {
    expect(settings('setkeeper-boot.service', 'Before')).toEqual(
      expect.arrayContaining([
        'netfilter-persistent.service',
        'iptables.service',
        'ip6tables.service',
        'nftables.service',
        'firewalld.service',
        'ufw.service',
        'network-pre.target',
        'setkeeper.service',
      ]),
    );
  });
});

describe('the sockets', () => {
  it('belong to who may use them, under the names that the programs look for', () => {
    const rows = ['setkeeper', 'setkeeper-admin', 'setkeeper-holders'].map((name) =>
      ['FileDescriptorName', 'ListenStream', 'SocketUser', 'SocketGroup', 'SocketMode'].map((key) =>
        settings(`${name}.socket`, key).join(' '),
      ),
    );
    expect(rows).toEqual([
      ['agent', '/run/setkeeper/agent.sock', 'root', 'setkeeper', '0660'],
      ['admin', '/run/setkeeper/admin.sock', 'root', 'root', '0600'],
      ['holders', '/run/setkeeper/holders.sock', 'setkeeper', 'setkeeper', '0600'],
    ]);
  });
});

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@setkeeper/testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentConfig } from '../config/agent-config.ts';
import { NO_HOLDERS } from '../holders/holder-reading.ts';
import type { Preflight } from '../kernel/preflight.ts';
import { objectKey } from '../model/objects.ts';
import { createIdentityVerifier } from '../server/identity-verifier.ts';
import { createStatementMemory } from '../server/statement-memory.ts';
import { createSigner } from '../server/testing/signer.ts';
import { createMerge } from '../sources/merge.ts';
import { examine } from './doctor.ts';
import { fileProbes } from './file-probes.ts';
import { gatewayProbe } from './gateway-probe.ts';
import { hostProbes } from './host-probes.ts';
import { kernelProbes } from './kernel-probes.ts';
import { modelProbes } from './model-probes.ts';
import { unitProbes } from './unit-probes.ts';

const well: Preflight = {
  ipsetPath: '/usr/sbin/ipset',
  version: '7.17',
  protocol: 7,
  stdbufPath: '/usr/bin/stdbuf',
  namespace: { name: 'host', inode: 1 },
  types: [{ type: 'hash:ip', support: 'yes', message: '' }],
  capabilities: { netAdmin: true, netRaw: true },
  warnings: [],
  obstacles: [],
};

/** The checks that are not ok, by name. */
const failed = async (probes: Parameters<typeof examine>[0]) =>
  (await examine(probes)).filter(({ ok }) => !ok).map(({ check }) => check);

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sk-doctor-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

describe('what is below the agent', () => {
  const looked = (more: Partial<Preflight>) =>
    failed(kernelProbes(async () => ({ ...well, ...more }), { ...well, ...more }, 'manage'));

  it('is found well', async () => {
    expect(await looked({})).toEqual([]);
  });

  it.each<[string, Partial<Preflight>]>([
    ['ipset', { obstacles: [{ code: 'no-ipset', message: 'There is no ipset', remedy: 'Install it' }] }],
    ['ipset', { warnings: ['Warning: Kernel support protocol versions 6-6 while userspace supports 7'] }],
    ['permission', { capabilities: { netAdmin: false, netRaw: false } }],
    ['set types', { types: [{ type: 'hash:net', support: 'no', message: 'set type not supported' }] }],
    ['network namespace', { namespace: { name: 'unknown', inode: null } }],
    ['stdbuf', { stdbufPath: null }],
  ])('is found with a broken %s', async (check, more) => {
    expect(await looked(more)).toEqual([check]);
  });
});

describe('what is around the agent', () => {
  const place = async () => {
    const path = folder();
    const config = AgentConfig.parse({
      socket: join(path, 'agent.sock'),
      adminSocket: join(path, 'admin.sock'),
      store: join(path, 'agent.db'),
      boot: { directory: join(path, 'boot.d') },
      trust: { gatewayKeys: [{ kid: 'gateway-1', key: 'x' }] },
    });
    writeFileSync(config.store, '', { mode: 0o600 });
    mkdirSync(config.boot.directory);
    for (const socket of [config.socket, config.adminSocket]) {
      const server = createServer();
      await new Promise<void>((done) => server.listen(socket, done));
      onTestFinished(() => void server.close());
    }
    chmodSync(config.adminSocket, 0o600);
    chmodSync(config.socket, 0o660);
    return config;
  };
  // A socket of group root is a finding of its own where tests run as root.
  const others = async (config: AgentConfig) =>
    (await examine(fileProbes(config)))
      .filter(
        ({ ok, detail }) => !ok && !detail.includes('belongs to the group root') && !detail.includes('belong to root'),
      )
      .map(({ check }) => check);

  it('is found well', async () => {
    expect(await others(await place())).toEqual([]);
  });

  it.each<[string, (config: AgentConfig) => void]>([
    ['store', (config) => chmodSync(config.store, 0o644)],
    ['store', (config) => Object.assign(config, { store: join(config.store, 'not-a-folder', 'agent.db') })],
    ['group socket', (config) => chmodSync(config.socket, 0o666)],
    ['group socket', (config) => rmSync(config.socket)],
    ['admin socket', (config) => chmodSync(config.adminSocket, 0o660)],
    ['admin socket', (config) => rmSync(config.adminSocket)],
    ['boot files', (config) => rmSync(config.boot.directory, { recursive: true })],
  ])('is found with a broken %s', async (check, spoil) => {
    const config = await place();
    spoil(config);
    expect(await others(config)).toEqual([check]);
  });

  it('is found without a trusted gateway, and with two keys of one name', async () => {
    const config = await place();
    const key = { kid: 'one', key: 'x', maxRole: 'admin' } as const;
    expect(await others({ ...config, trust: { gatewayKeys: [] } })).toEqual(['gateway key']);
    expect(await others({ ...config, trust: { gatewayKeys: [key, key] } })).toEqual(['gateway key']);
  });
});

describe('what is between the model and this host', () => {
  const merge = createMerge({ order: [{ name: 'model.d', kind: 'directory' }], clock: { now: () => 0 } });
  const host = { kind: 'host', id: 'node-a', ipv4: null, ipv6: null } as const;
  const update = {
    source: 'model.d',
    state: 'current',
    since: 0,
    upserts: [{ key: objectKey('host', 'node-a'), object: host, origin: { source: 'model.d' }, text: '{}' }],
    deletes: [],
    faults: [],
    files: [],
  } as const;
  const look = (name: string, references = { here: 1, all: 1 }, from = merge) =>
    failed(modelProbes({ config: AgentConfig.parse({}), host: name, merge: from, references: () => references }));

  it('finds that no source is configured', async () => {
    const none = createMerge({ order: [], clock: { now: () => 0 } });
    expect(await look('node-a', undefined, none)).toEqual(['sources']);
  });

  it('finds a source that never spoke, faults, and another host name', async () => {
    expect(await look('node-a')).toEqual(['sources']);
    merge.apply(update);
    expect(await look('node-a')).toEqual([]);
    expect(await look('localhost')).toEqual(['host name']);
    expect(await look('node-a', { here: 0, all: 3 })).toEqual(['host name']);
    merge.apply({
      ...update,
      upserts: [],
      faults: [{ file: 'a.yaml', line: 3, path: 'x', reason: 'is no address', severity: 'error' }],
    });
    expect(await look('node-a')).toEqual(['model']);
  });
});

describe('what is beside the agent', () => {
  const problem = (code: 'prefix-shared' | 'nft-backend-set') =>
    ({ code, severity: 'warning', subject: 's', message: 'm', since: '', remedy: 'r' }) as const;
  const look = (more: { unreadable?: typeof NO_HOLDERS.unreadable; problems?: ReturnType<typeof problem>[] }) =>
    failed(
      hostProbes({
        readHolders: async () => ({ ...NO_HOLDERS, unreadable: more.unreadable ?? [] }),
        problems: () => more.problems ?? [],
        prefix: 'sk-',
      }),
    );

  it('is found well', async () => {
    expect(await look({})).toEqual([]);
  });

  it('is found with rules that cannot be seen, a shared prefix, firewalld in the way', async () => {
    const why = { what: 'iptables rules (nft)', why: 'CAP_NET_RAW is missing', remedy: 'Enable the holders helper.' };
    expect(await look({ unreadable: [why] })).toEqual(['rules']);
    expect(await look({ problems: [problem('prefix-shared')] })).toEqual(['set prefix']);
    expect(await look({ problems: [problem('nft-backend-set')] })).toEqual(['firewalld']);
  });
});

describe('what is between a gateway and this agent', () => {
  const clock = createFakeClock();
  const gateway = createSigner('gateway-1', 'node-a');
  const stranger = createSigner('gateway-2', 'node-a');
  const ask = async (signers: readonly (typeof gateway)[], host = 'node-a') => {
    const memory = createStatementMemory(clock);
    const keys = [{ kid: 'gateway-1', key: gateway.publicKey, maxRole: 'admin' }] as const;
    const verifier = memory.watch(await createIdentityVerifier({ host, keys, clock, startedAt: clock.now() }));
    for (const signer of signers)
      await verifier.prove(`Bearer ${await signer.sign({ now: clock.now() / 1000 })}`).catch(() => null);
    await verifier.prove(undefined).catch(() => null);
    const probe = gatewayProbe(memory.statements, clock);
    return { look: () => examine([probe]) };
  };

  it('is found well once a gateway was heard, and not looked for before', async () => {
    expect(await (await ask([gateway])).look()).toMatchObject([{ check: 'gateway statements', ok: true }]);
    expect(await (await ask([])).look()).toEqual([]);
  });

  it('is found with a gateway of another key, or one that calls this agent by another name', async () => {
    const [unknown] = await (await ask([stranger])).look();
    expect(unknown).toMatchObject({ ok: false, remedy: 'Check trust.gatewayKeys.' });
    const [misnamed] = await (await ask([gateway], 'node-b')).look();
    expect(misnamed?.detail).toContain('is for node-a; this agent is node-b');
  });

  it('is found while another gateway is heard, and forgotten when it asks no more', async () => {
    const { look } = await ask([stranger, gateway]);
    expect(await look()).toMatchObject([{ ok: false }]);
    clock.advance(11 * 60_000);
    expect(await look()).toMatchObject([{ ok: true }]);
  });
});

describe('what a reboot would start', () => {
  const look = (states: Readonly<Record<string, string>>, more: { isService?: boolean; mode?: 'observe' } = {}) =>
    failed(unitProbes({ isService: true, mode: 'manage', enablement: async (unit) => states[unit] ?? null, ...more }));
  const well = { 'setkeeper.service': 'enabled', 'setkeeper-boot.service': 'enabled' };

  it('is found well', async () => {
    expect(await look(well)).toEqual([]);
  });

  it.each(['disabled', 'masked', 'masked-runtime', ''])('is found without a boot unit: %s', async (state) => {
    expect(await look({ ...well, 'setkeeper-boot.service': state })).toEqual(['boot unit']);
  });

  it('is found without an agent, and where nothing can be asked', async () => {
    expect(await look({ ...well, 'setkeeper.service': 'disabled' })).toEqual(['agent unit']);
    expect(await look({})).toEqual(['agent unit', 'boot unit']);
  });

  it('is not asked of an agent that no service manager started, nor for sets that it does not write', async () => {
    expect(await look({}, { isService: false })).toEqual([]);
    expect(await look({ 'setkeeper.service': 'enabled' }, { mode: 'observe' })).toEqual([]);
  });
});

it('tells of a check that cannot be made, and makes the others', async () => {
  const checks = await examine([
    {
      check: 'broken',
      look: () => {
        throw new Error('no');
      },
    },
    { check: 'fine', look: () => ({ ok: true, detail: 'yes' }) },
    { check: 'elsewhere', look: () => null },
  ]);
  expect(checks.map(({ check, ok }) => [check, ok])).toEqual([
    ['broken', false],
    ['fine', true],
  ]);
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFakeClock,
  hiddenHolderProgram,
  makeNetworkNamespace,
  type TestNamespace,
  whyNoNamespace,
} from '@setkeeper/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKernelReader } from '../kernel/create-kernel-reader.ts';
import { createLauncher, type StartedLauncher } from '../launcher/create-launcher.ts';
import { LeakTracker } from '../leaks/leak-tracker.ts';
import { createHolderReader } from './create-holder-reader.ts';
import { explainedCount, type HolderReader, type HolderReading } from './holder-reading.ts';
import { launchedHolderTools } from './launched-holder-tools.ts';

const why = await whyNoNamespace();

describe.skipIf(why !== null)(`holders on the real kernel${why === null ? '' : `: ${why}`}`, () => {
  let namespace: TestNamespace & { remove(): Promise<void> };
  let launcher: StartedLauncher;
  let holders: HolderReader;

  beforeAll(async () => {
    namespace = await makeNetworkNamespace();
    launcher = await createLauncher({
      nodePath: process.execPath,
      entryPath: new URL('../entry/launcher.ts', import.meta.url).pathname,
      commandPrefix: namespace.prefix,
    });
    const clock = createFakeClock();
    const ipsetPath = await launcher.which('ipset');
    if (ipsetPath === null) throw new Error('ipset is not installed where only root can replace it');
    const reader = createKernelReader({ launcher, clock, ipsetPath, timeoutSeconds: 10 });
    holders = createHolderReader({ tools: launchedHolderTools(launcher), reader, clock });
  });

  afterAll(async () => {
    await launcher?.close();
    await namespace?.remove();
  });

  /** A shell script inside the namespace; its words when it fails. */
  const sh = async (script: string): Promise<void> => {
    const end = await namespace.exec('bash', ['-ec', script]);
    if (end.exitCode !== 0) throw new Error(end.stderr);
  };
  const places = (reading: HolderReading, set: string): readonly string[] =>
    (reading.holders.get(set) ?? []).map((holder) => `${holder.kind}: ${holder.where}`).sort();
  const references = (reading: HolderReading): Record<string, number | null> =>
    Object.fromEntries((reading.sets ?? []).map((set) => [set.header.name, set.references]));

  afterEach(() =>
    sh(`for tool in iptables-nft ip6tables-nft iptables-legacy ip6tables-legacy; do
          $tool -F; $tool -t raw -F; $tool -t mangle -F
        done
        nft flush ruleset; ipset flush; ipset destroy`),
  );

  it('names each holder exactly, and they sum up to the number of the kernel', async () => {
    await sh(`
      ipset create blk hash:ip; ipset create wl hash:net; ipset create 'odd name' hash:ip; ipset create grp list:set
      ipset create six hash:ip family inet6; ipset create idle hash:ip
      ipset add grp blk; ipset add grp wl
      iptables-nft -A INPUT -m set --match-set blk src -j DROP
      iptables-nft -A INPUT -m set --match-set 'odd name' src -j DROP
      iptables-nft -A INPUT -m comment --comment 'uses --match-set idle src in text' -j ACCEPT
      iptables-nft -A INPUT -m comment --comment $'two\\n-A INPUT -m set --match-set idle src -j DROP' -j ACCEPT
      iptables-nft -A OUTPUT -j SET --add-set blk dst --del-set wl src
      iptables-nft -t raw -A PREROUTING -m set ! --match-set blk src,src -j ACCEPT
      iptables-legacy -A INPUT -m set --match-set blk src -j DROP
      ip6tables-nft -A INPUT -m set --match-set six src -j DROP
      ip6tables-legacy -A FORWARD -m set --match-set six dst -j DROP`);
    const reading = await holders.read();
    expect(places(reading, 'blk')).toEqual([
      'iptables-legacy: filter INPUT 1',
      'iptables-nft: filter INPUT 1',
      'iptables-nft: filter OUTPUT 1',
      'iptables-nft: raw PREROUTING 1',
      'list-set: list grp',
    ]);
    expect(places(reading, 'wl')).toEqual(['iptables-nft: filter OUTPUT 1', 'list-set: list grp']);
    expect(places(reading, 'odd name')).toEqual(['iptables-nft: filter INPUT 2']);
    expect(places(reading, 'six')).toEqual(['ip6tables-legacy: filter FORWARD 1', 'ip6tables-nft: filter INPUT 1']);
    expect(places(reading, 'idle')).toEqual([]);
    for (const [set, count] of Object.entries(references(reading))) {
      expect([set, explainedCount(reading, set)]).toEqual([set, count]);
    }
    expect(reading).toMatchObject({ unreadable: [], possible: [], isConclusive: true });
  });

  it('gives the command that removes each holder, whatever is in its rule', async () => {
    await sh(`
      ipset create 'odd name' hash:ip; ipset create grp list:set; ipset add grp 'odd name'
      iptables-nft -N 'ch$x'
      iptables-nft -A 'ch$x' -m set --match-set 'odd name' src -j LOG --log-prefix '$(exit 9) \`b\` it'"'"'s "q" '
      iptables-legacy -A OUTPUT -m set --match-set 'odd name' dst -m comment --comment $'a\\nb' -j SET --add-set 'odd name' src`);
    const reading = await holders.read();
    expect(explainedCount(reading, 'odd name')).toBe(4);
    for (const holder of reading.holders.get('odd name') ?? []) await sh(holder.removeWith ?? 'exit 1');
    expect(references(await holders.read())).toEqual({ 'odd name': 0, grp: 0 });
  });

  it('shows a rule of another nft table as a possible holder, with its removal', async () => {
    await sh(`ipset create leaky hash:ip; python3 ${hiddenHolderProgram} leaky`);
    const reading = await holders.read();
    expect(references(reading)).toEqual({ leaky: 1 });
    expect(reading.holders.size).toBe(0);
    expect(reading.possible).toMatchObject([{ kind: 'nft-compat', where: 'ip hidden c handle 2' }]);
    await sh(reading.possible[0]?.removeWith ?? 'exit 1');
    expect(references(await holders.read())).toEqual({ leaky: 0 });
  });

  it('shows a running dump with its process, and counts no reference for it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sk-dump-'));
    await sh(`
      ipset create big hash:ip; mkfifo ${folder}/fifo
      seq 20000 | awk '{ print "add big 10." int($1 / 65536) "." int($1 / 256) % 256 "." $1 % 256 }' | ipset restore
      sleep 600 > /dev/null 2>&1 < ${folder}/fifo & echo $! > ${folder}/pid`);
    // It blocks in the middle of its dump: nobody reads the fifo, and a pipe holds less than the set.
    const dump = namespace.exec('bash', ['-c', `exec ipset save big > ${folder}/fifo`]);
    try {
      await sh('until grep -Eq "^[0-9a-f]+ 12( +[0-9a-f]+){4} +1 " /proc/net/netlink; do sleep 0.02; done');
      const reading = await holders.read();
      expect(reading.dumps).toMatchObject([
        { kind: 'dump', where: expect.stringMatching(/^pid [0-9]+ ipset$/), count: 0 },
      ]);
      expect(explainedCount(reading, 'big')).toBe(0);
    } finally {
      await sh(`kill $(cat ${folder}/pid)`);
      await dump;
      await rm(folder, { recursive: true });
    }
  });

  it('takes an expired member of a list for what may hold its set', async () => {
    await sh(
      'ipset create inner hash:ip; ipset create outer list:set timeout 1; ipset add outer inner; while ipset list outer | grep -q ^inner; do sleep 0.1; done',
    );
    const reading = await holders.read();
    const { inner } = references(reading);
    // The kernel collects it after a while: either it still counts, and is seen as expired, or both are gone.
    expect([inner, reading.expired]).toEqual(inner === 0 ? [0, 0] : [1, 1]);
  });

  it('tells firewalld`s native sets from ipsets of the same name', async () => {
    await sh(`
      ipset create blacklist hash:ip
      nft add table inet firewalld; nft add set inet firewalld blacklist '{ type ipv4_addr; }'
      nft add table inet other; nft add set inet other elsewhere '{ type ipv4_addr; }'`);
    expect([...(await holders.read()).firewalldSets]).toEqual(['blacklist']);
  });

  it('says what it may not read, and concludes nothing from its silence', async () => {
    await sh('ipset create held hash:ip; iptables-nft -A INPUT -m set --match-set held src -j DROP');
    const limited = await createLauncher({
      nodePath: process.execPath,
      entryPath: new URL('../entry/launcher.ts', import.meta.url).pathname,
      commandPrefix: [...namespace.prefix, ...WITHOUT_RAW],
    });
    try {
      const reader = createKernelReader({
        launcher: limited,
        clock: createFakeClock(),
        ipsetPath: (await limited.which('ipset')) ?? '',
        timeoutSeconds: 10,
      });
      const reading = await createHolderReader({
        tools: launchedHolderTools(limited),
        reader,
        clock: createFakeClock(),
      }).read();
      expect(references(reading)).toEqual({ held: 1 });
      expect(explainedCount(reading, 'held')).toBe(0);
      expect(reading.isConclusive).toBe(false);
      expect(reading.unreadable).toContainEqual(
        expect.objectContaining({ what: 'iptables-nft-save', remedy: expect.stringContaining('CAP_NET_RAW') }),
      );
      const leaks = new LeakTracker();
      leaks.observe(reading);
      leaks.observe({ ...reading, at: reading.at + 1e9 });
      expect(leaks.leaks(60)).toEqual([]);
    } finally {
      await limited.close();
    }
  });
});

/** Reading ipsets needs CAP_NET_ADMIN alone; naming them in rules needs CAP_NET_RAW too. */
const WITHOUT_RAW = ['setpriv', '--inh-caps', '-net_raw', '--bounding-set', '-net_raw', '--'];

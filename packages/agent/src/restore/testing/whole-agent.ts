import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalMember, type Family, isNomatch, type ManagedType } from '@setkeeper/ipset';
import type { RandomPlan, TestNamespace } from '@setkeeper/testkit';
import { type AgentBench, agentBench } from '../../daemon/testing/agent-process.ts';

/** What each set is to hold in the end, elements as `ipset save` shows them. */
export type WantedSets = ReadonlyMap<string, ReadonlySet<string>>;

const CONFIG = { guard: 'off', sets: { settleMs: 0, maxelem: 65_536 } };
const KILL_MS_MAX = 1500;

/**
 * The agent's own program on a model made of a random plan's members: killed at a random moment, something done behind
 * its back, started again, settled, and ended. Resolves with what its sets have to hold now.
 */
export async function runWholeAgent(
  namespace: TestNamespace,
  plan: RandomPlan,
  { random, meanwhile }: { readonly random: () => number; readonly meanwhile: () => Promise<void> },
): Promise<WantedSets> {
  const { text, wanted } = modelOf(plan);
  const bench = agentBench(namespace, CONFIG);
  try {
    bench.write('model.json', text);
    const end = bench.runToEnd();
    const pid = await pidOf(namespace, bench);
    await delay(random() * KILL_MS_MAX);
    process.kill(pid, 'SIGKILL');
    await end;
    await meanwhile();
    const agent = await bench.start();
    await bench.settled();
    const status = await agent.end('SIGTERM');
    if (status !== 0) throw new Error(`the agent ended with ${status}: ${agent.log()}`);
    return wanted;
  } finally {
    await bench.remove();
  }
}

async function pidOf(namespace: TestNamespace, { configFile }: AgentBench): Promise<number> {
  for (;;) {
    for (const pid of await namespace.pids()) {
      const words = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
      if (words.includes(configFile)) return pid;
    }
    await delay(2);
  }
}

/** A good member in the model's words; none of those that are two elements in the kernel, or a flag. */
function goodMember(type: ManagedType, family: Family, text: string): readonly string[] {
  const member = canonicalMember(type, family, text);
  return !member.ok || isNomatch(member.member) || member.member.endsWith('/0') ? [] : [member.member];
}

/** The sets of the model: type, family, and a member that is always there. */
const MODELLED: Readonly<Record<string, readonly [ManagedType, Family, string]>> = {
  'sk-v4-t.a': ['hash:ip', 'inet', '203.0.113.1'],
  'sk-v6-t.a': ['hash:ip', 'inet6', '2001:db8:ffff::1'],
  'sk-v4-t.b': ['hash:ip', 'inet', '203.0.113.2'],
  'sk-v4-n.a': ['hash:net', 'inet', '203.0.113.0/24'],
  'sk-v6-n.a': ['hash:net', 'inet6', '2001:db8:ffff::/64'],
};

function modelOf(plan: RandomPlan): { readonly text: string; readonly wanted: WantedSets } {
  const wanted = new Map<string, Set<string>>();
  for (const [set, [type, family, always]] of Object.entries(MODELLED)) {
    const adds = plan.sections.find((section) => section.set === set)?.adds ?? [];
    wanted.set(set, new Set([always, ...adds.flatMap((text) => goodMember(type, family, text))]));
  }
  const members = (set: string): readonly string[] => [...(wanted.get(set) ?? [])];
  const model = {
    profiles: { a: { tags: ['a'] }, b: { tags: ['b'] } },
    endpoints: {
      a: { profiles: ['a'], ipv4: members('sk-v4-t.a'), ipv6: members('sk-v6-t.a') },
      b: { profiles: ['b'], ipv4: members('sk-v4-t.b') },
    },
    networks: { a: { nets: [...members('sk-v4-n.a'), ...members('sk-v6-n.a')] } },
    lists: { a: { members: ['tag:a', 'net:a'] } },
  };
  wanted.set('sk-l.a', new Set(['sk-v4-t.a', 'sk-v6-t.a', 'sk-v4-n.a', 'sk-v6-n.a']));
  return { text: JSON.stringify(model), wanted };
}

import { type TestNamespace, withNetworkNamespace } from '@setkeeper/testkit';
import { type AgentBench, type AgentProcess, agentBench } from './agent-process.ts';

/** What a test of a whole agent works with. */
export interface AgentAtWork {
  readonly bench: AgentBench;
  readonly agent: AgentProcess;
  readonly namespace: TestNamespace;
}

/** A namespace, a model directory and an agent of a test's own; `prepare` fills them before the agent starts. */
export function withAgent(
  work: (parts: AgentAtWork) => Promise<void>,
  config: Readonly<Record<string, unknown>>,
  prepare: (bench: AgentBench, namespace: TestNamespace) => unknown,
): Promise<void> {
  return withNetworkNamespace(async (namespace) => {
    const bench = agentBench(namespace, config);
    try {
      await prepare(bench, namespace);
      await work({ bench, agent: await bench.start(), namespace });
    } finally {
      await bench.remove();
    }
  });
}

/** What a set holds in the kernel, elements with their flag, sorted as text; undefined: there is no such set. */
export async function savedMembers(namespace: TestNamespace, set: string): Promise<readonly string[] | undefined> {
  const { exitCode, stdout } = await namespace.exec('ipset', ['save', set]);
  if (exitCode !== 0) return undefined;
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('add '))
    .map((line) => line.split(' ').slice(2).join(' '))
    .toSorted();
}

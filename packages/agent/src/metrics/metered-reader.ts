import type { KernelReader, Reading } from '../kernel/kernel-reader.ts';
import type { AgentMetrics } from './agent-metrics.ts';

/** A reader that counts and times readings and remembers when the kernel was last seen. What a visitor does with a reading is in its time. */
export function meteredReader(reader: KernelReader, metrics: AgentMetrics): KernelReader {
  const count = async <T>(kind: string, reading: Promise<Reading<T>>): Promise<Reading<T>> => {
    const stop = metrics.readBackSeconds.startTimer({ kind });
    const answer = await reading;
    stop();
    metrics.readBacks.inc({ kind, result: answer.ok ? 'ok' : answer.fault.code });
    if (answer.ok) metrics.lastReadBack.set(answer.at / 1000);
    return answer;
  };
  return {
    headers: () => count('headers', reader.headers()),
    header: (name) => count('header', reader.header(name)),
    members: (name, visitor) => count('members', reader.members(name, visitor)),
    everything: (visitor) => count('everything', reader.everything(visitor)),
    dumps: () => reader.dumps(),
  };
}

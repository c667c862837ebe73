import { get } from 'node:http';
import { join } from 'node:path';
import type { AgentUnderTest } from './agent-under-test.ts';

/** What an open console was sent. */
export interface EventsSeen {
  readonly events: number;
  /** Times it was told to fetch everything anew, since it was too slow; the one at the start does not count. */
  readonly resets: number;
}

/** Keeps the agent's event stream open, as a console does, until `end`. Throws there if the agent ended it before. */
export function watchEvents(agent: AgentUnderTest): { end(): EventsSeen } {
  let rest = '';
  let [events, resets] = [0, -1];
  let fault: Error | null = null;
  const request = get({ socketPath: join(agent.folder, 'admin.sock'), path: '/api/trpc/events.watch' }, (answer) => {
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (!line.startsWith('data: {') || !line.includes('"type":')) continue;
        events++;
        if (line.includes('"type":"reset"')) resets++;
      }
    });
    answer.on('close', () => {
      fault ??= new Error('the agent ended the stream of events');
    });
  });
  request.on('error', (error) => {
    fault ??= error;
  });
  return {
    end() {
      const before = fault;
      request.destroy();
      if (before !== null) throw before;
      if (resets < 0) throw new Error('the stream of events did not begin with a reset');
      return { events, resets };
    },
  };
}

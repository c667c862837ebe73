import { describe, expect, it } from 'vitest';
import { type KeepRunning, keepRunning } from './keep-running.ts';
import type { ManagedProcess } from './managed-process.ts';

function fixture(overrides: Partial<KeepRunning> = {}) {
  const stop = new AbortController();
  const started: { process: ManagedProcess; end: (how: string) => void }[] = [];
  const said: string[] = [];
  const pauses: number[] = [];
  const restarted = new Map<number, PromiseWithResolvers<void>>();
  const whenStarted = (count: number) => {
    const known = restarted.get(count) ?? Promise.withResolvers<void>();
    restarted.set(count, known);
    if (started.length >= count) known.resolve();
    return known.promise;
  };
  const options: KeepRunning = {
    start: () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      const process = {
        name: 'agent',
        pid: started.length + 1,
        ended: promise,
        signal: () => resolve('signal SIGKILL'),
      };
      started.push({ process, end: resolve });
      restarted.get(started.length)?.resolve();
      return process;
    },
    untilReady: async () => {},
    tell: (sentence) => said.push(sentence),
    pause: async (ms) => void pauses.push(ms),
    stop: stop.signal,
    ...overrides,
  };
  return { options, started, said, pauses, stop, whenStarted };
}

describe('keepRunning', () => {
  it('starts a program again that ended after it had answered', async () => {
    const { options, started, said, whenStarted, stop } = fixture();
    const kept = await keepRunning(options);
    started[0]?.end('exit code 1');
    await whenStarted(2);
    expect(kept.current().pid).toBe(2);
    expect(said).toEqual(['the agent ended by itself (exit code 1); starting it again in 0.5 s']);
    stop.abort();
  });

  it('gives up at once on a program that ended before it ever answered', async () => {
    const { options, started } = fixture({
      untilReady: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    });
    const kept = keepRunning(options);
    started[0]?.end('exit code 3');
    await expect(kept).rejects.toThrow('the agent ended before it answered (exit code 3)');
    expect(started).toHaveLength(1);
  });

  it('waits longer each time it does not come up again', async () => {
    let readyCount = 0;
    const { options, started, pauses, whenStarted, stop } = fixture({
      untilReady: async () => {
        readyCount += 1;
        if (readyCount > 1) throw new Error('no answer');
      },
    });
    await keepRunning(options);
    started[0]?.end('exit code 1');
    await whenStarted(4);
    expect(pauses.slice(0, 3)).toEqual([500, 1000, 2000]);
    stop.abort();
  });

  it('starts nothing any more once it is stopped', async () => {
    const { options, started, stop } = fixture();
    await keepRunning(options);
    stop.abort();
    started[0]?.end('exit code 0');
    await started[0]?.process.ended;
    expect(started).toHaveLength(1);
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '@setkeeper/api';
import type { AgentTools } from '../cli.ts';
import { createBell } from '../client/bell.ts';
import { wireFailure } from '../client/wire-failure.ts';
import { Failure } from '../failure.ts';
import { createProgressBar } from '../output/progress-bar.ts';

/** How often a run is asked for while no event tells about it. */
const pollMs = { first: 50, most: 1000 };
/** How long an agent may be away, or not know the run yet, before the command gives up. */
const patienceMs = 30_000;

/**
 * Waits for a run to end and returns its final state, with a progress bar on a terminal. Survives a restart of the agent,
 * after which the run is `interrupted`. Throws Failure when the agent stays away.
 */
export async function followRun(tools: AgentTools, started: Run): Promise<Run> {
  if (started.phase !== 'running') return started;
  const { api, agent, world } = tools;
  const bar = createProgressBar(world.stderr);
  const leave = new AbortController();
  const bell = createBell();
  const watching = (async () => {
    try {
      for await (const event of agent.watch({ signal: leave.signal })) {
        if (event.run !== started.id) continue;
        if (event.type === 'run-progress' && event.progress !== undefined) bar.show(event.progress);
        if (event.type === 'run-finished') bell.ring();
      }
    } catch {
      // Without events the run is still polled: they only make the end come sooner.
    }
  })();
  let pauseMs = pollMs.first;
  let lostSince: number | undefined;
  try {
    for (;;) {
      try {
        const run = await api.runs.get.query({ id: started.id, scriptLimit: 0 });
        lostSince = undefined;
        if (run.phase !== 'running') return plainRun(run);
      } catch (error) {
        const failure = wireFailure(error, agent.target);
        if (!(failure instanceof Failure) || !isPassing(failure)) throw failure;
        lostSince ??= world.now();
        if (world.now() - lostSince > patienceMs) throw failure;
      }
      await Promise.race([bell.rung(), delay(pauseMs, undefined, { signal: world.signal })]);
      pauseMs = Math.min(pollMs.most, pauseMs * 1.5);
    }
  } finally {
    leave.abort();
    await watching;
    await bar.clear();
  }
}

const isPassing = (failure: Failure): boolean =>
  failure.code === 'not-found' || failure.code === 'not-ready' || failure.exitCode === 4;

/** A run without what only `run ID` shows. */
function plainRun(detail: Run): Run {
  const { script, scriptTruncated, failures, retryable, ...run } = detail as Run & Record<string, unknown>;
  return run as Run;
}

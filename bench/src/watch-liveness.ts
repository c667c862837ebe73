import type { AgentUnderTest } from './agent-under-test.ts';
import { pause } from './wait-until.ts';

/** What somebody saw who kept asking while the agent was at work. Milliseconds. */
export interface Liveness {
  /** Each answer: what the console asks first (the status), then a page of sets. */
  readonly answers: readonly number[];
  /** The longest time without a turn of the event loop, in each piece of a quarter of a second. It has about 10 ms of the timer it is measured with. */
  readonly blocked: readonly number[];
  /** The longest of all. */
  readonly longestBlocked: number;
}

const EVERY_MS = 250;

/** Asks as a console does, four times a second, until it is told to end. An agent that goes ends it too. */
export function watchLiveness(agent: AgentUnderTest): { end(): Promise<Liveness> } {
  const answers: number[] = [];
  const blocked: number[] = [];
  let isEnding = false;
  const timed = async (verb: string, input?: unknown): Promise<void> => {
    const began = performance.now();
    await agent.query(verb, input);
    answers.push(performance.now() - began);
  };
  const ask = async (): Promise<void> => {
    // Whatever was before is not ours.
    await agent.metric('setkeeper_event_loop_lag_seconds');
    while (!isEnding) {
      await pause(EVERY_MS);
      await timed('status.get');
      await timed('sets.list', { limit: 50 });
      blocked.push((await agent.metric('setkeeper_event_loop_lag_seconds')) * 1000);
    }
  };
  const asking = ask().then(
    () => null,
    (error: unknown) => error,
  );
  return {
    async end() {
      isEnding = true;
      const fault = await asking;
      if (fault !== null) throw fault;
      return { answers, blocked, longestBlocked: Math.max(...blocked) };
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { timeoutArgument } from '../arguments/duration.ts';
import type { AddCommand, AgentTools } from '../cli.ts';
import type { Api } from '../client/agent-client.ts';
import { createBell } from '../client/bell.ts';
import { wireFailure } from '../client/wire-failure.ts';
import { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';

type Settled = Awaited<ReturnType<Api['status']['settled']['query']>>;

interface WaitOptions {
  readonly timeout: number;
}

/** How long `wait` bears an agent that does not answer: at the first call, and after it has answered once. */
const patienceSeconds = { first: 3, later: 30 };

/** `wait`: returns when sources have spoken and nothing is pending or running; exit 1 on time-out, failed, parked, over capacity or held. */
export const addWait: AddCommand = (program, cli) => {
  program
    .command('wait')
    .description('return when the sources have spoken and nothing is pending or running')
    .option('--timeout <seconds>', 'give up after this many seconds', timeoutArgument, 300)
    .action(
      cli.asking(async (tools, options: WaitOptions) => {
        const { out, api } = tools;
        const settled = await untilSettled(tools, options.timeout);
        const problems = settled.settled ? (await api.status.get.query()).problems : [];
        const short = problems.filter(({ code }) => code === 'members-parked' || code === 'over-capacity');
        if (out.isJson) await out.json(settled);
        else if (!settled.settled) await out.line(`not settled after ${options.timeout} s: ${reasons(settled)}`, 'bad');
        else await out.line('settled', 'good');
        for (const group of settled.failed) await out.say(`failed: ${group}`, 'bad');
        for (const { code, subject, message } of short) await out.say(`${code} ${subject}: ${message}`, 'warn');
        if (settled.held > 0)
          await out.say(
            `held: ${settled.held} ${settled.held === 1 ? 'change waits' : 'changes wait'} for a release`,
            'warn',
          );
        const isFine = settled.settled && settled.failed.length === 0 && settled.held === 0 && short.length === 0;
        return isFine ? ExitCode.done : ExitCode.incomplete;
      }),
    );
};

const reasons = (settled: Settled): string =>
  settled.waitingFor.length > 0 ? settled.waitingFor.join(', ') : 'work is pending';

/** Asks at every event, and at least once a second, until the agent says it has settled or the time is over. */
async function untilSettled(tools: AgentTools, timeoutSeconds: number): Promise<Settled> {
  const { api, agent, world } = tools;
  const endsAt = world.now() + timeoutSeconds * 1000;
  const leave = new AbortController();
  const bell = createBell();
  const watching = (async () => {
    while (!leave.signal.aborted) {
      try {
        for await (const _event of agent.watch({ signal: leave.signal })) bell.ring();
      } catch {
        // The question below meets the same trouble and reports it.
      }
      await delay(1000, undefined, { signal: leave.signal }).catch(() => {});
    }
  })();
  let last: Settled = { settled: false, failed: [], held: 0, waitingFor: [] };
  let hasAnswered = false;
  let lostSince: number | undefined;
  let lastFailure: Failure | undefined;
  try {
    for (;;) {
      try {
        last = await api.status.settled.query();
        hasAnswered = true;
        lostSince = undefined;
        if (last.settled) return last;
      } catch (error) {
        const failure = wireFailure(error, agent.target);
        if (!(failure instanceof Failure)) throw failure;
        const isPassing = failure.code === 'not-ready' || failure.exitCode === ExitCode.unreachable;
        lostSince ??= world.now();
        const patience = hasAnswered || failure.code === 'not-ready' ? patienceSeconds.later : patienceSeconds.first;
        if (!isPassing || world.now() - lostSince > patience * 1000) throw failure;
        lastFailure = failure;
      }
      const leftMs = endsAt - world.now();
      if (leftMs <= 0 && !hasAnswered && lastFailure !== undefined) throw lastFailure;
      if (leftMs <= 0) return last;
      await Promise.race([
        bell.rung(),
        delay(Math.min(leftMs, hasAnswered ? 1000 : 200), undefined, { signal: world.signal }),
      ]);
      await delay(Math.max(0, Math.min(50, endsAt - world.now())));
    }
  } finally {
    leave.abort();
    await watching;
  }
}

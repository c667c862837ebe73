import { setTimeout as delay } from 'node:timers/promises';
import type { AgentEvent } from '@setkeeper/api';
import type { AddCommand, AgentTools } from '../cli.ts';
import { wireFailure } from '../client/wire-failure.ts';
import { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';

/** `watch`: events as they happen, resumed after a restart of the agent; with `--json` one JSON value a line. */
export const addWatch: AddCommand = (program, cli) => {
  program
    .command('watch')
    .description('events as they happen; with --json one JSON value a line')
    .option('--after <id>', 'begin after this event')
    .action(cli.asking(async (tools, { after }: { after?: string }) => watch(tools, after)));
};

async function watch({ agent, out, world }: AgentTools, after: string | undefined): Promise<undefined> {
  let lastEventId = after;
  let hasConnected = false;
  let pauseMs = 250;
  while (!world.signal.aborted) {
    try {
      for await (const event of agent.watch({
        signal: world.signal,
        ...(lastEventId === undefined ? {} : { lastEventId }),
      })) {
        hasConnected = true;
        pauseMs = 250;
        lastEventId = event.id;
        if (out.isJson) await out.jsonLine(event);
        else if (event.type !== 'heartbeat') await out.line(eventText(event));
      }
    } catch (error) {
      const failure = wireFailure(error, agent.target);
      const isPassing = failure instanceof Failure && failure.exitCode === ExitCode.unreachable;
      if (!hasConnected || !isPassing) throw failure;
      await out.say(`${failure.message}; trying again`, 'warn');
    }
    await delay(pauseMs, undefined, { signal: world.signal }).catch(() => {});
    pauseMs = Math.min(10_000, pauseMs * 2);
  }
  return undefined;
}

function eventText(event: AgentEvent): string {
  const groups =
    event.groups === undefined ? '' : ` ${event.groups.join(' ')}${event.more ? ` and ${event.more} more` : ''}`;
  const progress = event.progress === undefined ? '' : ` ${event.progress.done} of ${event.progress.total} lines`;
  const words = [event.subject, event.run === undefined ? undefined : `run ${event.run}`, event.message].filter(
    (word) => word !== undefined,
  );
  return `${event.at}  ${event.type}${words.length > 0 ? `  ${words.join(' ')}` : ''}${progress}${groups}`;
}

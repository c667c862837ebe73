import { accessSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, askVerb, type Door } from './ask.ts';
import { type Program, startProgram } from './program.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const bundles = {
  agent: join(root, 'packages/agent/dist/agent.js'),
  gateway: join(root, 'packages/gateway/dist/gateway.js'),
};
const movedClock = join(import.meta.dirname, 'moved-clock.ts');
const WORDS_SHOWN = 12_000;

/** The two programs of a host, started, killed and started again. */
export interface HostPrograms {
  readonly agent: Program;
  readonly gateway: Program;
  /** Starts an agent without waiting for it: it may be killed on its way. */
  launchAgent(): void;
  /** Waits until the agent answers; one that found its namespace still taken is started again, as systemd would. */
  agentAnswers(): Promise<void>;
  startGateway(): Promise<void>;
  /** Moves the agent's wall clock; only where it was started with one that moves. */
  moveClock(offsetMs: number): Promise<void>;
  /** Throws if a program ended that nobody killed, or contained a bug. */
  requireWell(): void;
  /** The end of what both wrote. */
  lastWords(): string;
  stop(): Promise<void>;
}

export interface HostProgramsParts {
  /** Enters the agent's network namespace. */
  readonly enter: readonly string[];
  readonly configs: { readonly agent: string; readonly gateway: string };
  readonly doors: { readonly admin: Door; readonly gateway: Door };
  /** The file that says by how much the agent's clock is off; null: it has the machine's clock. */
  readonly clockFile: string | null;
}

/** Nothing is started yet. Throws if the programs are not built. */
export function hostPrograms({ enter, configs, doors, clockFile }: HostProgramsParts): HostPrograms {
  for (const bundle of Object.values(bundles)) accessSync(bundle);
  const [file = process.execPath, ...inside] = [...enter, process.execPath];
  const started = new Map<'agent' | 'gateway', Program>();
  const running = (name: 'agent' | 'gateway'): Program => {
    const program = started.get(name);
    if (program === undefined) throw new Error(`the ${name} was not started`);
    return program;
  };
  const launchAgent = (): void => {
    const clock = clockFile === null ? [] : ['--import', movedClock];
    const environment = clockFile === null ? undefined : { SETKEEPER_CLOCK_OFFSET: clockFile };
    const command = [file, ...inside, ...clock, bundles.agent, '--config', configs.agent] as const;
    started.set('agent', startProgram(command, environment));
  };
  return {
    get agent() {
      return running('agent');
    },
    get gateway() {
      return running('gateway');
    },
    launchAgent,
    agentAnswers: async () => {
      await until('an answer of the agent', async () => {
        if (running('agent').hasEnded) launchAgent();
        await askVerb(doors.admin, 'query', 'session.get', undefined);
        return true;
      });
    },
    startGateway: async () => {
      started.set('gateway', startProgram([process.execPath, bundles.gateway, '--config', configs.gateway]));
      await until('an answer of the gateway', async () => {
        if (running('gateway').hasEnded) throw new Error('it ended');
        return (await ask(doors.gateway, { path: '/healthz' })).status === 200 ? true : undefined;
      });
    },
    moveClock: async (offsetMs) => {
      if (clockFile === null) throw new Error('this agent has the clock of the machine');
      writeFileSync(clockFile, String(offsetMs));
      running('agent').kill('SIGUSR2');
      await until('the moved clock', async () => {
        const { at } = await askVerb<{ at: string }>(doors.admin, 'query', 'status.get', undefined);
        return Math.abs(Date.parse(at) - Date.now() - offsetMs) < 60_000 ? true : undefined;
      });
    },
    requireWell: () => {
      for (const [name, { hasEnded, bugs }] of started) {
        if (hasEnded) throw new Error(`the ${name} ended by itself`);
        if (bugs.length > 0) throw new Error(`the ${name} contained a bug: ${bugs[0]}`);
      }
    },
    lastWords: () => [...started].map(([name, { words }]) => `${name}:\n${words().slice(-WORDS_SHOWN)}`).join('\n'),
    stop: async () => {
      for (const program of started.values()) {
        program.kill('SIGKILL');
        await program.ended;
      }
    },
  };
}

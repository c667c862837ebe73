import { accessSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNetworkNamespace, type TestNamespace } from '@setkeeper/testkit';
import { execa } from 'execa';
import { ask, askVerb, type Door } from './ask.ts';
import { writeConfigs } from './host-configs.ts';
import { type Credentials, makeUsers, type Role } from './make-users.ts';
import { type Program, startProgram } from './program.ts';
import { until } from './until.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const programs = {
  agent: join(root, 'packages/agent/dist/agent.js'),
  gateway: join(root, 'packages/gateway/dist/gateway.js'),
};
const movedClock = join(import.meta.dirname, 'moved-clock.ts');

/** The bundled agent on the real kernel in a namespace of its own, and the bundled gateway with users before it. */
export interface FaultHost {
  readonly namespace: TestNamespace;
  readonly folder: string;
  /** The model directory. */
  readonly model: string;
  readonly stores: { readonly agent: string; readonly gateway: string };
  readonly doors: { readonly admin: Door; readonly group: Door; readonly gateway: Door };
  /** Headers of a caller with that role, for the gateway. */
  readonly as: Readonly<Record<Role, Credentials>>;
  /** What nobody may ever read: passwords, tokens, session cookies, the one-time code, the signing key. */
  readonly secrets: readonly string[];
  readonly agent: Program;
  readonly gateway: Program;
  /** Starts an agent without waiting for it: it may be killed on its way. */
  launchAgent(): void;
  /** Waits until the agent answers; one that found its namespace still taken is started again, as systemd would. */
  agentAnswers(): Promise<void>;
  startGateway(): Promise<void>;
  /** Moves the agent's wall clock; only where the host was made with `movesClock`. */
  moveClock(offsetMs: number): Promise<void>;
  query<T>(verb: string, input?: unknown): Promise<T>;
  act<T>(verb: string, input?: unknown): Promise<T>;
  /** Throws if a program ended that nobody killed, or contained a bug. */
  requireWell(): void;
  stop(): Promise<void>;
}

export interface FaultHostOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  /** Gives the agent's store a disk of its own of this size, so that it can be full. */
  readonly storeDiskMiB?: number;
  readonly movesClock?: boolean;
  /** Fills the folder before the agent starts. */
  readonly prepare: (folder: string, model: string) => void | Promise<void>;
}

/** Starts one, hands it over, and leaves nothing of it. A failure has the last words of both programs. */
export async function withFaultHost<T>(options: FaultHostOptions, use: (host: FaultHost) => Promise<T>): Promise<T> {
  for (const program of Object.values(programs)) accessSync(program);
  const namespace = await makeNetworkNamespace();
  const folder = mkdtempSync(join(tmpdir(), 'sk-faults-'));
  let host: FaultHost | undefined;
  try {
    host = await startHost(namespace, folder, options);
    return await use(host);
  } catch (error) {
    const words = host === undefined ? '' : `\nagent:\n${lastOf(host.agent)}\ngateway:\n${lastOf(host.gateway)}`;
    throw new Error(`${error instanceof Error ? error.message : error}${words}`, { cause: error });
  } finally {
    await host?.stop();
    for (const pid of await namespace.pids().catch(() => [])) kill(pid);
    await namespace.remove();
    if (options.storeDiskMiB !== undefined) await execa('umount', [diskOf(folder)], { reject: false });
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startHost(
  namespace: TestNamespace,
  folder: string,
  { config = {}, storeDiskMiB, movesClock = false, prepare }: FaultHostOptions,
): Promise<FaultHost> {
  chmodSync(folder, 0o755);
  const model = join(folder, 'model');
  for (const path of [model, diskOf(folder), join(folder, 'gateway'), join(folder, 'console')]) mkdirSync(path);
  if (storeDiskMiB !== undefined)
    await execa('mount', ['-t', 'tmpfs', '-o', `size=${storeDiskMiB}m`, 'tmpfs', diskOf(folder)]);
  await prepare(folder, model);
  const stores = { agent: join(diskOf(folder), 'agent.db'), gateway: join(folder, 'gateway/gateway.db') };
  const port = await freePort();
  const files = writeConfigs({ folder, model, stores, port, config });
  const doors = {
    admin: { socketPath: join(folder, 'admin.sock') },
    group: { socketPath: join(folder, 'agent.sock') },
    gateway: { host: '127.0.0.1', port },
  };
  const [enter = '', ...inside] = namespace.prefix;
  const clockFile = join(folder, 'clock-offset');
  const started: { agent: Program | undefined; gateway: Program | undefined } = {
    agent: undefined,
    gateway: undefined,
  };
  const launchAgent = (): void => {
    started.agent = startProgram(
      [
        enter,
        ...inside,
        process.execPath,
        ...(movesClock ? ['--import', movedClock] : []),
        programs.agent,
        '--config',
        files.agent,
      ],
      movesClock ? { SETKEEPER_CLOCK_OFFSET: clockFile } : {},
    );
  };
  const agentAnswers = async (): Promise<void> => {
    await until('an answer of the agent', async () => {
      if (started.agent?.hasEnded === true) launchAgent();
      await askVerb(doors.admin, 'query', 'session.get', undefined);
      return true;
    });
  };
  const startGateway = async (): Promise<void> => {
    started.gateway = startProgram([process.execPath, programs.gateway, '--config', files.gateway]);
    await until('an answer of the gateway', async () => {
      if (started.gateway?.hasEnded === true) throw new Error(`the gateway ended: ${started.gateway.words()}`);
      return (await ask(doors.gateway, { path: '/healthz' })).status === 200 ? true : undefined;
    });
  };
  const stop = async (): Promise<void> => {
    for (const program of [started.gateway, started.agent]) {
      program?.kill('SIGKILL');
      await program?.ended;
    }
  };
  try {
    launchAgent();
    await agentAnswers();
    await startGateway();
    const { as, secrets } = await makeUsers(doors.gateway, join(folder, 'gateway/first-admin-code'));
    const running = (name: 'agent' | 'gateway'): Program => started[name] ?? fail(`the ${name} was not started`);
    return {
      namespace,
      folder,
      model,
      stores,
      doors,
      as,
      secrets: [...secrets, readFileSync(join(folder, 'key.pem'), 'utf8').split('\n')[1] ?? ''],
      get agent() {
        return running('agent');
      },
      get gateway() {
        return running('gateway');
      },
      launchAgent,
      agentAnswers,
      startGateway,
      moveClock: async (offsetMs) => {
        writeFileSync(clockFile, String(offsetMs));
        running('agent').kill('SIGUSR2');
        await until('the moved clock', async () => {
          const { at } = await askVerb<{ at: string }>(doors.admin, 'query', 'status.get', undefined);
          return Math.abs(Date.parse(at) - Date.now() - offsetMs) < 60_000 ? true : undefined;
        });
      },
      query: (verb, input) => askVerb(doors.admin, 'query', verb, input),
      act: (verb, input) => askVerb(doors.admin, 'act', verb, input),
      requireWell: () => {
        for (const name of ['agent', 'gateway'] as const) {
          const { hasEnded, bugs, words } = running(name);
          if (hasEnded) throw new Error(`the ${name} ended by itself: ${words()}`);
          if (bugs.length > 0) throw new Error(`the ${name} contained a bug: ${bugs[0]}`);
        }
      },
      stop,
    };
  } catch (error) {
    const words = `${lastOf(started.agent)}\n${lastOf(started.gateway)}`;
    await stop();
    throw new Error(`${error instanceof Error ? error.message : error}\n${words}`, { cause: error });
  }
}

const WORDS_SHOWN = 12_000;
const lastOf = (program: Program | undefined): string => program?.words().slice(-WORDS_SHOWN) ?? '';

/** Where the agent's store lies. */
const diskOf = (folder: string): string => join(folder, 'store');

function fail(message: string): never {
  throw new Error(message);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

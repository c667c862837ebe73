import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNetworkNamespace, type TestNamespace } from '@setkeeper/testkit';
import { execa } from 'execa';
import { askVerb, type Door } from './ask.ts';
import { writeConfigs } from './host-configs.ts';
import { type HostPrograms, hostPrograms } from './host-programs.ts';
import { type Credentials, makeUsers, type Role } from './make-users.ts';

/** The bundled agent on the real kernel in a namespace of its own, and the bundled gateway with users before it. */
export interface FaultHost extends HostPrograms {
  readonly namespace: TestNamespace;
  readonly folder: string;
  readonly stores: { readonly agent: string; readonly gateway: string };
  readonly doors: { readonly admin: Door; readonly group: Door; readonly gateway: Door };
  /** Headers of a caller with that role, for the gateway. */
  readonly as: Readonly<Record<Role, Credentials>>;
  /** What nobody may ever read: passwords, tokens, session cookies, the one-time code, the signing key. */
  readonly secrets: readonly string[];
  /** Asks as root on the admin socket. */
  query<T>(verb: string, input?: unknown): Promise<T>;
  act<T>(verb: string, input?: unknown): Promise<T>;
}

export interface FaultHostOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  /** Gives the agent's store a disk of its own of this size, so that it can be full. */
  readonly storeDiskMiB?: number;
  /** Gives the agent a wall clock that `moveClock` moves. */
  readonly movesClock?: boolean;
  /** Fills the model directory before the agent starts. */
  readonly prepare: (model: string) => void;
}

/** Starts one, hands it over, and leaves nothing of it, interrupted or not. A failure has the last words of both programs. */
export async function withFaultHost<T>(options: FaultHostOptions, use: (host: FaultHost) => Promise<T>): Promise<T> {
  const namespace = await makeNetworkNamespace();
  const folder = mkdtempSync(join(tmpdir(), 'sk-faults-'));
  const disk = join(folder, 'store');
  let programs: HostPrograms | undefined;
  try {
    for (const path of [disk, join(folder, 'model'), join(folder, 'gateway'), join(folder, 'console')]) mkdirSync(path);
    // Without one, each path that is no verb is answered 503: the console is not built.
    writeFileSync(join(folder, 'console/index.html'), '<!doctype html><title>Setkeeper</title>\n');
    // The gateway gives up root, and still has to reach its own folder and the agent's socket.
    chmodSync(folder, 0o755);
    if (options.storeDiskMiB !== undefined)
      await execa('mount', ['-t', 'tmpfs', '-o', `size=${options.storeDiskMiB}m`, 'tmpfs', disk]);
    options.prepare(join(folder, 'model'));
    const stores = { agent: join(disk, 'agent.db'), gateway: join(folder, 'gateway/gateway.db') };
    const port = await freePort();
    const doors = {
      admin: { socketPath: join(folder, 'admin.sock') },
      group: { socketPath: join(folder, 'agent.sock') },
      gateway: { host: '127.0.0.1', port },
    };
    programs = hostPrograms({
      enter: namespace.prefix,
      configs: writeConfigs({ folder, stores, port, config: options.config ?? {} }),
      doors,
      clockFile: options.movesClock === true ? join(folder, 'clock-offset') : null,
    });
    return await Promise.race([interrupted, startHost(programs, { namespace, folder, stores, doors }).then(use)]);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`${words}\n${programs?.lastWords() ?? ''}`, { cause: error });
  } finally {
    await programs?.stop();
    // What a killed agent left: its launcher and children end by themselves, a moment later.
    for (const pid of await namespace.pids().catch(() => [])) kill(pid);
    await namespace.remove();
    if (options.storeDiskMiB !== undefined) await execa('umount', [disk], { reject: false });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rejects when this process is told to end, so that everything is taken away first. Listened to for good: execa ends the process where nobody else does. */
const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => reject(new Error(signal)));
});
interrupted.catch(() => undefined);

async function startHost(
  programs: HostPrograms,
  place: Pick<FaultHost, 'namespace' | 'folder' | 'stores' | 'doors'>,
): Promise<FaultHost> {
  const { folder, doors } = place;
  programs.launchAgent();
  await programs.agentAnswers();
  await programs.startGateway();
  const { as, secrets } = await makeUsers(doors.gateway, join(folder, 'gateway/first-admin-code'));
  const signingKey = readFileSync(join(folder, 'key.pem'), 'utf8').split('\n')[1] ?? '';
  return Object.assign(programs, {
    ...place,
    as,
    secrets: [...secrets, signingKey],
    query: <T>(verb: string, input?: unknown) => askVerb<T>(doors.admin, 'query', verb, input),
    act: <T>(verb: string, input?: unknown) => askVerb<T>(doors.admin, 'act', verb, input),
  });
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

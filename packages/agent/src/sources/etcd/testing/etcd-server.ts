import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chownSync, constants, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The etcd program of this machine, or null: the tests that need one say so. */
export function etcdProgram(): string | null {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    join(import.meta.dirname, '../../../../../../.tools/debian/usr/bin'),
  ];
  return folders.map((folder) => join(folder, 'etcd')).find(isExecutable) ?? null;
}

/** A member of a cluster, with the addresses it has inside the namespace of the test. */
export interface EtcdMember {
  readonly name: string;
  readonly clientUrl: string;
  readonly peerUrl: string;
  /** `--initial-cluster`: every member with its peer URL. */
  readonly cluster: string;
  /** The user that it runs as: what tells its packets from those of the others. */
  readonly uid: number;
}

/** A real etcd of a test's own, on loopback: started, killed and started again as the test likes. */
export class EtcdServer {
  readonly #command: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'setkeeper-etcd-'));
  readonly #extra: readonly string[];
  readonly #scheme: 'http' | 'https';
  readonly #member: EtcdMember | null;
  #ports: readonly [number, number] = [0, 0];
  #process: ChildProcess | null = null;

  /** `inside`: the command that runs another one in a network namespace; `tls`: the options of a server with certificates. */
  constructor(
    program: string,
    more: {
      readonly tls?: readonly string[];
      readonly inside?: readonly string[];
      readonly member?: EtcdMember;
    } = {},
  ) {
    this.#member = more.member ?? null;
    const as = this.#member === null ? [] : ['setpriv', '--reuid', String(this.#member.uid), '--clear-groups'];
    if (this.#member !== null) chownSync(this.#folder, this.#member.uid, 0);
    this.#command = [...(more.inside ?? []), ...as, program];
    this.#extra = more.tls ?? [];
    this.#scheme = more.tls === undefined ? 'http' : 'https';
  }

  get endpoint(): string {
    return this.#member?.clientUrl ?? `${this.#scheme}://127.0.0.1:${this.#ports[0]}`;
  }

  /** Resolves when it serves, which a member does with most of the others. The first start chooses its ports; later ones keep them. */
  async start(): Promise<void> {
    if (this.#member === null && this.#ports[0] === 0) this.#ports = [await freePort(), await freePort()];
    const name = this.#member?.name ?? 'test';
    const peer = this.#member?.peerUrl ?? `http://127.0.0.1:${this.#ports[1]}`;
    const cluster = this.#member?.cluster ?? `${name}=${peer}`;
    const [file = '', ...before] = this.#command;
    const child = spawn(
      file,
      [
        ...before,
        ...['--name', name, '--data-dir', join(this.#folder, 'data'), '--log-level', 'info', '--logger', 'zap'],
        ...['--listen-client-urls', this.endpoint, '--advertise-client-urls', this.endpoint],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', cluster],
        ...this.#extra,
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    this.#process = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (chunk: Buffer) => {
        log = (log + chunk.toString()).slice(-20_000);
        if (/ready to serve client requests|serving (insecure )?client (requests|traffic)/u.test(log)) resolve();
      });
      child.once('exit', (code) => reject(new Error(`etcd ended with ${code}: ${log.slice(-2_000)}`)));
      child.once('error', reject);
    });
  }

  async kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT' = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    if (child === null) return;
    child.kill(signal);
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') return;
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    this.#process = null;
  }

  /** Copies the data of a stopped server aside, or back. */
  keep(name: string): void {
    cpSync(join(this.#folder, 'data'), join(this.#folder, name), { recursive: true });
  }

  restore(name: string): void {
    this.wipe();
    cpSync(join(this.#folder, name), join(this.#folder, 'data'), { recursive: true });
  }

  wipe(): void {
    rmSync(join(this.#folder, 'data'), { recursive: true, force: true });
  }

  async remove(): Promise<void> {
    await this.kill('SIGCONT');
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

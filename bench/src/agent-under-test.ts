import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeNetworkNamespace, type TestNamespace } from '@setkeeper/testkit';
import { execa } from 'execa';
import { stringify } from 'yaml';
import { interrupted } from './interruption.ts';
import { waitUntil } from './wait-until.ts';

/** A real agent in a namespace and a folder of its own. */
export interface AgentUnderTest {
  readonly namespace: TestNamespace;
  /** The folder of the model; documents may be written there. */
  readonly model: string;
  readonly folder: string;
  /** Its own process. */
  readonly pid: number;
  /** Asks a verb on the admin socket. Throws with the agent's words. */
  query<T>(verb: string, input?: unknown): Promise<T>;
  act<T>(verb: string, input?: unknown): Promise<T>;
  /** Waits until sources have spoken and nothing is pending or running. */
  settled(): Promise<void>;
  /** A number of its metrics, summed over labels; 0 if it is not there. */
  metric(name: string): Promise<number>;
  /** The text of its metrics. */
  metricsText(): Promise<string>;
  /** All processes of the agent: itself, launcher, children. Bytes resident; pages that they share count once, as systemd counts them. */
  residentBytes(): Promise<number>;
  /** By how much its own process was larger, at most, while something was done than before. Bytes resident. */
  growthDuring(work: () => Promise<unknown>): Promise<number>;
}

const PROGRAM = fileURLToPath(new URL('../../packages/agent/dist/agent.js', import.meta.url));

/** Starts an agent on documents, hands it over, and removes every trace. `config` is laid over what it needs. */
export async function withAgent<T>(
  options: {
    readonly documents?: Readonly<Record<string, string>>;
    readonly config?: Readonly<Record<string, unknown>>;
    /** Flags of Node, for a profile: `--cpu-prof`. */
    readonly nodeFlags?: readonly string[];
  },
  use: (agent: AgentUnderTest) => Promise<T>,
): Promise<T> {
  const namespace = await makeNetworkNamespace();
  const folder = await mkdtemp(join(tmpdir(), 'sk-bench-'));
  const model = join(folder, 'model');
  await execa('mkdir', [model]);
  for (const [file, text] of Object.entries(options.documents ?? {})) await writeFile(join(model, file), text);
  const config = {
    host: 'bench',
    socket: join(folder, 'agent.sock'),
    adminSocket: join(folder, 'admin.sock'),
    store: join(folder, 'agent.db'),
    boot: { directory: join(folder, 'boot.d') },
    guard: 'off',
    sets: { settleMs: 0 },
    sources: [{ directory: { path: model, quietMs: 50 } }, { declared: {} }],
    ...options.config,
  };
  await writeFile(join(folder, 'agent.yaml'), stringify(config));
  const [file = process.execPath, ...prefix] = namespace.prefix;
  const agent = execa(
    file,
    [...prefix, process.execPath, ...(options.nodeFlags ?? []), PROGRAM, '--config', join(folder, 'agent.yaml')],
    {
      reject: false,
      stdout: { file: join(folder, 'log') },
      stderr: { file: join(folder, 'log.err') },
    },
  );
  try {
    const started = answering({ namespace, model, folder, socket: config.adminSocket, agent });
    const ended = agent.then(({ exitCode }) => {
      throw new Error(`the agent ended with status ${exitCode}`);
    });
    return await Promise.race([started.then(use), interrupted(), ended]);
  } catch (error) {
    throw new Error(`${String(error)}; the agent's last words:\n${await lastWords(folder)}`, { cause: error });
  } finally {
    agent.kill('SIGTERM');
    await agent;
    await namespace.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The end of the agent's log, since it goes with the folder. */
async function lastWords(folder: string): Promise<string> {
  const texts = await Promise.all(
    ['log', 'log.err'].map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return texts.join('').slice(-3000);
}

interface Started {
  readonly namespace: TestNamespace;
  readonly model: string;
  readonly folder: string;
  readonly socket: string;
  readonly agent: { readonly pid?: number | undefined; readonly exitCode?: number | null };
}

async function answering({ namespace, model, folder, socket, agent }: Started): Promise<AgentUnderTest> {
  const query = <T>(verb: string, input?: unknown) => ask<T>(socket, verb, 'GET', input);
  const act = <T>(verb: string, input?: unknown) => ask<T>(socket, verb, 'POST', input);
  const metricsText = async () => (await query<{ text: string }>('metrics.get')).text;
  await waitUntil('an answer of the agent', () => query('status.get').catch(() => undefined), { everyMs: 50 });
  return {
    namespace,
    model,
    folder,
    pid: agent.pid ?? 0,
    query,
    act,
    settled: async () => {
      await waitUntil('the agent to settle', async () => {
        const { settled } = await query<{ settled: boolean }>('status.settled');
        return settled ? true : undefined;
      });
    },
    metric: async (name) => {
      let sum = 0;
      for (const line of (await metricsText()).split('\n')) {
        if (line.startsWith(`${name} `) || line.startsWith(`${name}{`))
          sum += Number(line.slice(line.lastIndexOf(' ') + 1));
      }
      return sum;
    },
    metricsText,
    residentBytes: async () => {
      let kilobytes = 0;
      for (const pid of await namespace.pids()) {
        const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
        kilobytes += Number(/^Pss:\s+(\d+)/mu.exec(text)?.[1] ?? 0);
      }
      return kilobytes * 1024;
    },
    growthDuring: async (work) => {
      const status = `/proc/${agent.pid}/status`;
      // 5: the highest so far is what it is now (proc(5)).
      await writeFile(`/proc/${agent.pid}/clear_refs`, '5');
      const before = kilobytesIn(await readFile(status, 'utf8'), 'VmRSS');
      await work();
      return (kilobytesIn(await readFile(status, 'utf8'), 'VmHWM') - before) * 1024;
    },
  };
}

const kilobytesIn = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'mu').exec(status)?.[1] ?? 0);

/** An answer that takes longer is a fault. */
const ANSWER_MS = 180_000;

function ask<T>(socketPath: string, verb: string, method: 'GET' | 'POST', input: unknown): Promise<T> {
  const body = input === undefined ? '' : JSON.stringify(input);
  const isGet = method === 'GET';
  const path = `/api/trpc/${verb}${isGet && body !== '' ? `?input=${encodeURIComponent(body)}` : ''}`;
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath, path, method, headers: isGet ? {} : { 'content-type': 'application/json' } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const parsed = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
            result?: { data: T };
            error?: { message: string };
          };
          if (parsed.result === undefined) reject(new Error(`${verb}: ${parsed.error?.message ?? answer.statusCode}`));
          else resolve(parsed.result.data);
        });
      },
    );
    sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error(`${verb}: no answer within ${ANSWER_MS} ms`)));
    sent.on('error', reject);
    sent.end(isGet ? undefined : body);
  });
}

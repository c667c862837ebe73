import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiErrorBody } from '@setkeeper/api';
import type { TestNamespace } from '@setkeeper/testkit';
import { execa } from 'execa';
import { stringify } from 'yaml';

/** A real agent in a network namespace, with a model directory of its own. */
export interface AgentBench {
  readonly folder: string;
  readonly configFile: string;
  readonly adminSocket: string;
  /** Writes a file of the model directory. */
  write(file: string, content: string): void;
  /** Starts an agent and waits until it answers. */
  start(): Promise<AgentProcess>;
  /** Starts an agent that is expected to end by itself. */
  runToEnd(): Promise<{ readonly exitCode: number | undefined; readonly stdout: string; readonly stderr: string }>;
  query<T>(verb: string, input?: unknown): Promise<T>;
  mutate<T>(verb: string, input?: unknown): Promise<T>;
  /** Waits until the agent says that nothing is left to do. */
  settled(): Promise<void>;
  /** Waits until a query's answer fits. */
  until<T>(verb: string, input: unknown, fits: (answer: T) => boolean): Promise<T>;
  /** Kills what still runs and removes everything. */
  remove(): Promise<void>;
}

export interface AgentProcess {
  readonly pid: number;
  readonly log: () => string;
  /** Resolves with the exit status, or the signal. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string>;
}

/** A verb that was refused. */
export class Refusal extends Error {
  readonly body: ApiErrorBody;
  constructor(body: ApiErrorBody) {
    super(`${body.code}: ${body.message}`);
    this.body = body;
  }
}

const ENTRY = join(import.meta.dirname, '../../entry/agent.ts');
const PATIENCE_MS = 30_000;
const POLL_MS = 20;

type Child = ReturnType<typeof startAgent>;
function startAgent(namespace: TestNamespace, configFile: string) {
  const [file = '', ...prefix] = namespace.prefix;
  return execa(file, [...prefix, process.execPath, ENTRY, '--config', configFile], { reject: false });
}

export function agentBench(namespace: TestNamespace, config: Readonly<Record<string, unknown>> = {}): AgentBench {
  const folder = mkdtempSync(join(tmpdir(), 'sk-agent-'));
  const model = join(folder, 'model');
  const adminSocket = join(folder, 'admin.sock');
  const configFile = join(folder, 'agent.yaml');
  mkdirSync(model);
  writeFileSync(
    configFile,
    stringify({
      host: 'node-a',
      socket: join(folder, 'agent.sock'),
      adminSocket,
      store: join(folder, 'agent.db'),
      boot: { directory: join(folder, 'boot.d') },
      sources: [{ directory: { path: model, quietMs: 20 } }, { declared: {} }],
      ...config,
    }),
  );
  const running = new Set<Child>();

  const spawn = (): Child => {
    const child = startAgent(namespace, configFile);
    running.add(child);
    void child.then(() => running.delete(child));
    return child;
  };
  const ask = async <T>(method: 'GET' | 'POST', verb: string, input: unknown): Promise<T> => {
    const path = `/api/trpc/${verb}`;
    const json = input === undefined ? undefined : JSON.stringify(input);
    const asked = method === 'GET' && json !== undefined ? `${path}?input=${encodeURIComponent(json)}` : path;
    const text = await send(adminSocket, method, asked, method === 'POST' ? (json ?? '{}') : undefined);
    const answer = JSON.parse(text);
    if (answer.error !== undefined) throw new Refusal(ApiErrorBody.parse(answer.error.data));
    return answer.result.data;
  };
  const until: AgentBench['until'] = async (verb, input, fits) => {
    const end = performance.now() + PATIENCE_MS;
    let last: unknown;
    while (performance.now() < end) {
      try {
        const answer = await ask<never>('GET', verb, input);
        last = answer;
        if (fits(answer)) return answer;
      } catch (error) {
        last = error;
      }
      await delay(POLL_MS);
    }
    throw new Error(
      `${verb} never fitted; the last answer was ${last instanceof Error ? last.message : JSON.stringify(last)}`,
    );
  };

  return {
    folder,
    configFile,
    adminSocket,
    write: (file, content) => {
      const path = join(model, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    },
    start: async () => {
      const child = spawn();
      let log = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          log += String(chunk);
        });
      const ended = child.then(({ exitCode, stderr }) => {
        throw new Error(`the agent ended with ${exitCode}: ${stderr || log}`);
      });
      await Promise.race([ended, until('session.get', undefined, () => true)]);
      ended.catch(() => {});
      return {
        pid: child.pid ?? 0,
        log: () => log,
        end: async (signal) => {
          child.kill(signal);
          const { exitCode, signal: by } = await child;
          return exitCode ?? by ?? '';
        },
      };
    },
    runToEnd: async () => {
      const { exitCode, stdout, stderr } = await spawn();
      return { exitCode, stdout: String(stdout), stderr: String(stderr) };
    },
    query: (verb, input) => ask('GET', verb, input),
    mutate: (verb, input) => ask('POST', verb, input),
    settled: async () => {
      await until<{ settled: boolean }>('status.settled', undefined, ({ settled }) => settled);
    },
    until,
    remove: async () => {
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(running);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function send(socketPath: string, method: string, path: string, body: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request({ socketPath, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

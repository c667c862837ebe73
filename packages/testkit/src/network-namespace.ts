import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { execa } from 'execa';

/** A network namespace of a test's own, with `lo` up. */
export interface TestNamespace {
  readonly name: string;
  /** Put before a command, it runs inside. */
  readonly prefix: readonly string[];
  /** Runs a command inside and resolves with how it ended; never rejects. */
  exec(file: string, args?: readonly string[], options?: { readonly input?: string }): Promise<CommandResult>;
  /** Processes that live inside, seen from outside. */
  pids(): Promise<readonly number[]>;
  /** Runs `ipset` inside. Throws with its words when it fails. */
  ipset(args: readonly string[], input?: string): Promise<string>;
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const PREFIX = 'sk-test-';

/**
 * Makes a namespace `sk-test-<pid>-<random>`, hands it to `use`, and deletes it whatever happens. What a killed test run
 * left behind is deleted by the next one. Needs root: see `whyNoNamespace`.
 */
export async function withNetworkNamespace<T>(use: (namespace: TestNamespace) => Promise<T>): Promise<T> {
  await sweep();
  const name = `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`;
  await execa('ip', ['netns', 'add', name]);
  try {
    await execa('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
    return await use(namespaceOf(name));
  } finally {
    await execa('ip', ['netns', 'del', name], { reject: false });
  }
}

/** A namespace for a whole test file: `make` in `beforeAll`, `remove` in `afterAll`. */
export async function makeNetworkNamespace(): Promise<TestNamespace & { remove(): Promise<void> }> {
  await sweep();
  const name = `${PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`;
  await execa('ip', ['netns', 'add', name]);
  await execa('ip', ['-n', name, 'link', 'set', 'lo', 'up']);
  return {
    ...namespaceOf(name),
    async remove() {
      await execa('ip', ['netns', 'del', name], { reject: false });
    },
  };
}

/** Why tests on the real kernel cannot run here, as a sentence to skip them with; null if they can. */
export async function whyNoNamespace(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'needs root: network namespaces and ipsets';
  for (const [tool, args] of [
    ['ip', ['-V']],
    ['ipset', ['--version']],
  ] as const) {
    const { failed } = await execa(tool, args, { reject: false });
    if (failed) return `needs ${tool}, which is not installed`;
  }
  const probe = await execa('unshare', ['-n', 'ipset', 'list', '-n'], { reject: false });
  return probe.failed ? `this kernel gives no ipsets in a new network namespace: ${probe.stderr}` : null;
}

function namespaceOf(name: string): TestNamespace {
  const prefix = ['ip', 'netns', 'exec', name];
  const exec: TestNamespace['exec'] = async (file, args = [], { input } = {}) => {
    const end = await execa('ip', ['netns', 'exec', name, file, ...args], {
      reject: false,
      stripFinalNewline: false,
      ...(input === undefined ? {} : { input }),
    });
    return { exitCode: end.exitCode ?? null, signal: end.signal ?? null, stdout: end.stdout, stderr: end.stderr };
  };
  return {
    name,
    prefix,
    exec,
    async pids() {
      const { stdout } = await execa('ip', ['netns', 'pids', name]);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map(Number);
    },
    async ipset(args, input) {
      const end = await exec('ipset', args, input === undefined ? {} : { input });
      if (end.exitCode !== 0) throw new Error(`ipset ${args.join(' ')}: ${end.stderr}`);
      return end.stdout;
    },
  };
}

/** Deletes namespaces of test runs whose process is gone. */
async function sweep(): Promise<void> {
  const names = await readdir('/run/netns').catch(() => []);
  for (const name of names) {
    const [, pid] = name.startsWith(PREFIX) ? (/^sk-test-([0-9]+)-/.exec(name) ?? []) : [];
    if (pid !== undefined && !isAlive(Number(pid))) await execa('ip', ['netns', 'del', name], { reject: false });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

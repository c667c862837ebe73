import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestNamespace } from '@setkeeper/testkit';
import { execa } from 'execa';
import { milliseconds } from './goal.ts';

/**
 * The floor of most goals: `ipset restore < file` with the default environment and the file written beforehand. The file is
 * not part of the time. Milliseconds.
 */
export async function rawRestore(
  namespace: TestNamespace,
  lines: Iterable<string>,
  options: readonly string[] = [],
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sk-raw-'));
  const file = join(folder, 'restore');
  try {
    await writeFile(file, [...lines, ''].join('\n'));
    return await milliseconds(() =>
      inNamespace(namespace, ['sh', '-c', 'exec ipset "$@" restore < "$0"', file, ...options]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SPAWNER = fileURLToPath(new URL('./spawn-times.ts', import.meta.url));

/** The floor of small changes: spawns of `ipset restore` with one line each, by a process that is in the namespace already. Milliseconds of each. */
export async function spawnTimes(namespace: TestNamespace, count: number, line: string): Promise<readonly number[]> {
  return JSON.parse(await inNamespace(namespace, [process.execPath, SPAWNER, String(count), line])) as number[];
}

/** Runs a command in a namespace; throws if it fails. */
export async function inNamespace(namespace: TestNamespace, command: readonly string[]): Promise<string> {
  const [file = '', ...args] = [...namespace.prefix, ...command];
  const { stdout } = await execa(file, args, { maxBuffer: 1 << 30 });
  return stdout;
}

/** The lines that write a whole hash:ip set by temporary set and swap. */
export function* rewriteLines(name: string, addresses: Iterable<string>): Generator<string> {
  yield `create ${name} hash:ip family inet maxelem 4194304 -exist`;
  yield `create ${name}-tmp hash:ip family inet maxelem 4194304`;
  for (const address of addresses) yield `add ${name}-tmp ${address}`;
  yield `swap ${name}-tmp ${name}`;
  yield `destroy ${name}-tmp`;
}

/** `count` addresses of 10.0.0.0/8, no two the same, from a place in it on. */
export function* addresses(count: number, from = 1): Generator<string> {
  for (let i = from; i < from + count; i++) yield `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
}

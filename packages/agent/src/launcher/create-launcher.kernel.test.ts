import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeNetworkNamespace, whyNoNamespace } from '@setkeeper/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LAUNCHER_ENTRY } from '../restore/testing/real-kernel.ts';
import { createLauncher, type StartedLauncher } from './create-launcher.ts';
import type { LauncherChild } from './launcher-client.ts';

const reason = await whyNoNamespace();
const RESIDENT_KIB_MAX = 120_000;

describe.skipIf(reason !== null)(`the launcher${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  let namespace: Awaited<ReturnType<typeof makeNetworkNamespace>>;
  let launcher: StartedLauncher;
  const start = () =>
    createLauncher({ nodePath: process.execPath, entryPath: LAUNCHER_ENTRY, commandPrefix: namespace.prefix });
  beforeAll(async () => {
    namespace = await makeNetworkNamespace();
    launcher = await start();
  });
  afterAll(async () => {
    await launcher.close();
    await namespace.remove();
  });

  describe('runs a child', () => {
    it('inside its namespace, with a minimal environment and no more of the agent', async () => {
      const { exitCode, stdout } = await launcher.run({ file: '/usr/bin/env', args: [], env: { LC_ALL: 'C' } });
      expect(exitCode).toBe(0);
      expect(text(stdout).trim().split('\n').sort()).toEqual(['LC_ALL=C', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin']);
      const inside = await launcher.run({ file: '/usr/bin/readlink', args: ['/proc/self/ns/net'] });
      expect(text(inside.stdout)).toBe((await namespace.exec('readlink', ['/proc/self/ns/net'])).stdout);
    });

    it('and says how it ended: status, signal, what it said, or why it never ran', async () => {
      expect(await launcher.run({ file: '/bin/sh', args: ['-c', 'echo out; echo err >&2; exit 3'] })).toMatchObject({
        exitCode: 3,
        signal: null,
        stderr: 'err\n',
      });
      expect(await launcher.run({ file: '/bin/sh', args: ['-c', 'kill -9 $$'] })).toMatchObject({
        exitCode: null,
        signal: 'SIGKILL',
      });
      const never = await launcher.run({ file: '/usr/sbin/no-such-tool', args: [] });
      expect(never).toMatchObject({
        exitCode: null,
        signal: null,
        spawnError: expect.stringContaining('no-such-tool'),
      });
    });

    it('and ends it when its time is up, by force if need be', async () => {
      const meek = await launcher.run({ file: '/bin/sleep', args: ['30'], timeoutSeconds: 0.1 });
      expect(meek).toMatchObject({ signal: 'SIGTERM', timedOut: true });
      const stubborn = await launcher.run({
        file: '/bin/sh',
        args: ['-c', 'trap "" TERM; while :; do sleep 0.1; done'],
        timeoutSeconds: 0.1,
      });
      expect(stubborn).toMatchObject({ signal: 'SIGKILL', timedOut: true });
    });

    it('feeds it whole lines and gives back all it says, in order', async () => {
      const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('');
      const { stdout } = await launcher.run({ file: '/bin/cat', args: [], input: lines });
      expect(text(stdout) === lines).toBe(true);
    });

    it('and gives the next chunk only when the reader is done with the last one', async () => {
      let reading = 0;
      let mostAtOnce = 0;
      const child = launcher.spawn({
        file: '/bin/dd',
        args: ['if=/dev/zero', 'bs=1M', 'count=8'],
        onStdout: async () => {
          mostAtOnce = Math.max(mostAtOnce, ++reading);
          await delay(1);
          reading--;
        },
      });
      child.end();
      expect(await child.exit).toMatchObject({ exitCode: 0 });
      expect(mostAtOnce).toBe(1);
    });

    it('holds a child back whose reader is slow, and stays small', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let bytes = 0;
      const child = launcher.spawn({
        file: '/bin/dd',
        args: ['if=/dev/zero', 'bs=1M', 'count=64'],
        onStdout: (chunk) => {
          bytes += chunk.byteLength;
          return held;
        },
      });
      const first = await Promise.race([child.exit, delay(300).then(() => 'held back')]);
      expect(first).toBe('held back');
      release();
      expect(await child.exit).toMatchObject({ exitCode: 0 });
      expect(bytes).toBe(64 * 1024 * 1024);
      expect(residentKib(launcher.pid)).toBeLessThan(RESIDENT_KIB_MAX);
    });

    it('refuses to write to one that has ended', async () => {
      const child = launcher.spawn({ file: '/bin/true', args: [] });
      await child.exit;
      await expect(child.write(Buffer.from('x\n'))).rejects.toMatchObject({ code: 'child-gone' });
    });

    it('refuses a write that is not whole lines', () => {
      const child = launcher.spawn({ file: '/bin/cat', args: [] });
      expect(() => child.write(Buffer.from('no newline'))).toThrow(RangeError);
      expect(() => child.write(Buffer.alloc(70_000, '\n'))).toThrow(RangeError);
      child.kill('SIGKILL');
    });
  });

  it('never leaves a cut line behind when it is killed in the middle of a flood of writes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sk-cut-'));
    try {
      for (const [round, chunkBytes] of [64_000, 50_000, 45_000, 40_000].entries()) {
        const doomed = await start();
        const file = join(folder, `${round}`);
        // The reader outlives the launcher: only the first process of a child is bound to it.
        const script = `exec 3<&0; (echo ready; sleep 0.2; cat <&3 >${file}.part; mv ${file}.part ${file}) & wait`;
        let child: LauncherChild | undefined;
        await new Promise<void>((resolve) => {
          child = doomed.spawn({ file: '/bin/sh', args: ['-c', script], onStdout: () => resolve() });
        });
        const line = 'add sk-v4-t.some-set 198.51.100.200\n';
        const chunk = Buffer.from(line.repeat(Math.floor(chunkBytes / line.length)));
        const flood = (async () => {
          for (;;) await child?.write(chunk);
        })().catch(() => undefined);
        await delay(60);
        process.kill(doomed.pid, 'SIGKILL');
        await flood;
        const seen = await arrival(file);
        expect(seen.length % line.length, `${chunkBytes}: ${seen.slice(-60)}`).toBe(0);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  describe('holds the writer lock of its namespace', () => {
    // A launcher that has the lock keeps it: each test has one of its own.
    let launcher: StartedLauncher;
    beforeEach(async () => {
      launcher = await start();
    });
    afterEach(() => launcher.close());

    it('without which nothing that writes is started', async () => {
      const refused = await launcher.run({ file: '/bin/true', args: [], isWriter: true });
      expect(refused.spawnError).toContain('writer lock');
      expect(await launcher.acquireWriterLock(20)).toEqual({ held: true });
      expect(await launcher.acquireWriterLock(0)).toEqual({ held: true });
      expect(await launcher.run({ file: '/bin/true', args: [], isWriter: true })).toMatchObject({ exitCode: 0 });
    });

    it('so that a second one is refused with a sentence, and gets it when the first is gone', async () => {
      const second = await start();
      try {
        await launcher.acquireWriterLock(20);
        const refusal = await second.acquireWriterLock(0.1);
        expect(refusal).toMatchObject({ held: false, message: expect.stringContaining('Another Setkeeper agent') });
        const waiting = second.acquireWriterLock(20);
        await launcher.close();
        expect(await waiting).toEqual({ held: true });
      } finally {
        await second.close();
      }
    });

    it('for as long as a child that writes lives, even when it is killed itself', async () => {
      const doomed = await start();
      await doomed.acquireWriterLock(20);
      // A grandchild inherits the lock and outlives the launcher.
      const child = doomed.spawn({
        file: '/bin/sh',
        args: ['-c', 'sleep 1 & echo $!; wait'],
        isWriter: true,
        onStdout: () => void process.kill(doomed.pid, 'SIGKILL'),
      });
      await child.exit;
      expect(await launcher.acquireWriterLock(0)).toMatchObject({ held: false });
      expect(await launcher.acquireWriterLock(20)).toEqual({ held: true });
    });

    it('but not in another namespace', async () => {
      const elsewhere = await makeNetworkNamespace();
      const other = await createLauncher({
        nodePath: process.execPath,
        entryPath: LAUNCHER_ENTRY,
        commandPrefix: elsewhere.prefix,
      });
      try {
        await launcher.acquireWriterLock(20);
        expect(await other.acquireWriterLock(0)).toEqual({ held: true });
      } finally {
        await other.close();
        await elsewhere.remove();
      }
    });
  });

  it('says that it is lost when it is killed, and all its children are gone with it', async () => {
    const doomed = await start();
    const lost = new Promise<string>((resolve) => doomed.onLost(resolve));
    const child = doomed.spawn({ file: '/bin/sleep', args: ['60'] });
    const pid = await child.pid;
    process.kill(doomed.pid, 'SIGKILL');
    expect(await lost).toContain('SIGKILL');
    expect(await child.exit).toMatchObject({ signal: 'SIGKILL', spawnError: expect.stringContaining('launcher') });
    await until(() => pid === null || !isAlive(pid));
    expect(await doomed.run({ file: '/bin/true', args: [] })).toMatchObject({
      spawnError: expect.stringContaining('ended'),
    });
  });

  it('ends its children when it is closed', async () => {
    const closing = await start();
    const child = closing.spawn({ file: '/bin/sleep', args: ['60'] });
    const pid = await child.pid;
    await closing.close();
    await until(() => pid === null || !isAlive(pid));
    expect(isAlive(closing.pid)).toBe(false);
  });

  it('finds tools that only root can replace, and no others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sk-tool-'));
    try {
      const tool = join(folder, 'tool');
      await writeFile(tool, '#!/bin/sh\n', { mode: 0o755 });
      expect(await launcher.which('sh')).toBe('/usr/bin/sh');
      expect(await launcher.which(tool)).toBe(tool);
      await writeFile(join(folder, 'open'), '#!/bin/sh\n', { mode: 0o755 });
      await chmod(join(folder, 'open'), 0o777);
      expect(await launcher.which(join(folder, 'open'))).toBeNull();
      await chmod(folder, 0o777);
      expect(await launcher.which(tool)).toBeNull();
      expect(await launcher.which('no-such-tool')).toBeNull();
      expect(await launcher.which('../bin/sh')).toBeNull();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

function residentKib(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Asks again until it is so; the test's own time-out is the limit. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(5);
}

/** The text of a file, once it is there. */
async function arrival(file: string): Promise<string> {
  for (;;) {
    try {
      return await readFile(file, 'utf8');
    } catch {
      await delay(10);
    }
  }
}

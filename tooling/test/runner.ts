import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { judge, type Tally } from './tally.ts';

/** A test runner: a program that shows its progress and leaves a result in a file. */
export interface Runner {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  /** Environment that makes it write its result to `path`. */
  readonly environment: (path: string) => Readonly<Record<string, string>>;
  readonly read: (text: string) => Tally;
  readonly timeoutMinutes: number;
}

/** Runs it with its output shown as it comes. Never throws: whatever goes wrong is a failure in the tally. */
export async function runTests(runner: Runner, stop: AbortSignal): Promise<Tally> {
  const scratch = mkdtempSync(join(tmpdir(), 'setkeeper-test-'));
  const path = join(scratch, 'result.json');
  const [file, ...args] = runner.command;
  try {
    const { exitCode, timedOut } = await execa(file, args, {
      cwd: runner.folder,
      preferLocal: true,
      localDir: runner.folder,
      env: { ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }), ...runner.environment(path) },
      stdin: 'ignore',
      stdout: 'inherit',
      stderr: 'inherit',
      reject: false,
      timeout: runner.timeoutMinutes * 60_000,
      cancelSignal: stop,
    });
    const tally = existsSync(path) ? runner.read(readFileSync(path, 'utf8')) : undefined;
    if (timedOut) console.error(`ended after ${runner.timeoutMinutes} minutes: too long for this part`);
    return judge(tally, exitCode);
  } catch (error) {
    console.error(error);
    return judge(undefined, undefined);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

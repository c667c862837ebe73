import { createFakeClock } from '@setkeeper/testkit';
import { expect, it } from 'vitest';
import { ChildGoneError, type Launcher } from '../launcher/launcher-client.ts';
import { createSteadyLauncher } from './steady-launcher.ts';

/** Launchers that a test lets die. */
function bench() {
  const clock = createFakeClock();
  const told: string[] = [];
  const made: { die: (why: string) => void; isClosed: boolean }[] = [];
  const state = { startFails: false, lockIsFree: true };
  const start = async (): Promise<Launcher> => {
    if (state.startFails) throw new Error('no memory');
    const number = made.length + 1;
    let lost: (why: string) => void = () => {};
    const life = { die: (why: string) => lost(why), isClosed: false };
    made.push(life);
    const never = new Promise<never>(() => {});
    return {
      spawn: () => ({ pid: Promise.resolve(number), write: () => never, end: () => {}, kill: () => {}, exit: never }),
      run: async () => ({ exitCode: number, signal: null, stdout: new Uint8Array(), stderr: '', truncated: false }),
      acquireWriterLock: async () => (state.lockIsFree ? { held: true } : { held: false, message: 'taken' }),
      which: async (tool) => `/bin/${tool}`,
      onLost: (handler) => {
        lost = handler;
      },
      close: async () => {
        life.isClosed = true;
      },
    };
  };
  const steady = () =>
    createSteadyLauncher({ start, clock, onDown: (why) => told.push(`down: ${why}`), onUp: () => told.push('up') });
  const settle = async (ms: number): Promise<void> => {
    clock.advance(ms);
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { told, made, state, steady, settle };
}
const request = { file: '/bin/true', args: [] };

it('throws when the first launcher does not start', async () => {
  const { state, steady } = bench();
  state.startFails = true;
  await expect(steady()).rejects.toThrow('no memory');
});

it('starts another one when it dies, and takes the writer lock again before it is used', async () => {
  const { told, made, steady, settle } = bench();
  const launcher = await steady();
  expect(await launcher.acquireWriterLock(1)).toEqual({ held: true });
  made[0]?.die('SIGKILL');
  expect(launcher.isUp).toBe(false);
  await settle(100);
  expect(launcher.isUp).toBe(true);
  expect(told).toEqual(['down: SIGKILL', 'up']);
  expect((await launcher.run(request)).exitCode).toBe(2);
});

it('fails what is asked in between like a spawn that fails, and never hangs', async () => {
  const { made, steady } = bench();
  const launcher = await steady();
  made[0]?.die('SIGKILL');
  const child = launcher.spawn(request);
  await expect(child.write(new Uint8Array())).rejects.toThrow(ChildGoneError);
  expect(await child.exit).toMatchObject({ exitCode: null, spawnError: expect.stringContaining('started again') });
  expect(await launcher.run(request)).toMatchObject({ exitCode: null, spawnError: expect.any(String) });
  expect(await launcher.which('ipset')).toBeNull();
  expect(await launcher.acquireWriterLock(1)).toMatchObject({ held: false });
});

it('tries again and again, with longer pauses, while it does not start or another agent has the lock', async () => {
  const { told, made, state, steady, settle } = bench();
  const launcher = await steady();
  await launcher.acquireWriterLock(1);
  state.startFails = true;
  made[0]?.die('SIGKILL');
  for (let attempt = 0; attempt < 3; attempt += 1) await settle(5_000);
  expect(told.filter((words) => words === 'down: no memory').length).toBeGreaterThan(1);
  state.startFails = false;
  state.lockIsFree = false;
  await settle(5_000);
  expect(told.at(-1)).toBe('down: taken');
  expect(made.at(-1)?.isClosed).toBe(true);
  state.lockIsFree = true;
  await settle(5_000);
  expect(launcher.isUp).toBe(true);
});

it('starts nothing after it was closed', async () => {
  const { made, steady, settle } = bench();
  const launcher = await steady();
  made[0]?.die('SIGKILL');
  await launcher.close();
  await settle(60_000);
  expect(made).toHaveLength(1);
});

import type { Clock } from '../clock.ts';
import { ChildGoneError, type Launcher, type LauncherChild, type SpawnRequest } from '../launcher/launcher-client.ts';
import { runChild } from '../launcher/run-child.ts';

/** A launcher that is started again when it dies. */
export interface SteadyLauncher extends Launcher {
  /** False between a death and the next start; children asked for then fail at once with a spawn error. */
  readonly isUp: boolean;
}

export interface SteadyLauncherOptions {
  readonly start: () => Promise<Launcher>;
  readonly clock: Clock;
  /** The launcher died: `why`. */
  readonly onDown: (why: string) => void;
  /** It is back, with the writer lock if it had it. */
  readonly onUp: () => void;
}

/** Pauses between two attempts to start it again. */
const PAUSES_MS = [50, 250, 1_000, 5_000];
/** How long a new launcher waits for the children of the old one to let go of the writer lock. */
const LOCK_WAIT_SECONDS = 10;

/**
 * Starts a launcher and keeps one running. Throws if the first one does not start. Whoever had a child of a dead launcher
 * sees it end; what is asked in between fails like a spawn that fails, and is tried again by those who ask.
 */
export async function createSteadyLauncher(options: SteadyLauncherOptions): Promise<SteadyLauncher> {
  const { clock, onDown, onUp } = options;
  const lostHandlers: ((why: string) => void)[] = [];
  let current: Launcher | null = null;
  let hadLock = false;
  let isClosing = false;
  let failures = 0;
  let cancelRestart: () => void = () => {};

  const adopt = (launcher: Launcher): void => {
    launcher.onLost((why) => {
      if (isClosing || current !== launcher) return;
      current = null;
      onDown(why);
      for (const handler of lostHandlers) handler(why);
      restartLater();
    });
  };

  const restartLater = (): void => {
    const pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
    failures += 1;
    cancelRestart = clock.after(pause, () => void restart());
  };

  const restart = async (): Promise<void> => {
    let launcher: Launcher | null = null;
    try {
      launcher = await options.start();
      const lock = hadLock ? await launcher.acquireWriterLock(LOCK_WAIT_SECONDS) : { held: true as const };
      if (isClosing) return void launcher.close();
      if (!lock.held) throw new Error(lock.message);
      adopt(launcher);
      current = launcher;
      failures = 0;
      onUp();
    } catch (error) {
      await launcher?.close();
      if (isClosing) return;
      onDown(error instanceof Error ? error.message : String(error));
      restartLater();
    }
  };

  const first = await options.start();
  adopt(first);
  current = first;

  const spawn = (request: SpawnRequest): LauncherChild => current?.spawn(request) ?? neverStarted();
  return {
    get isUp() {
      return current !== null;
    },
    spawn,
    run: (request) => current?.run(request) ?? runChild(neverStarted, request),
    acquireWriterLock: async (waitSeconds) => {
      const answer = (await current?.acquireWriterLock(waitSeconds)) ?? { held: false as const, message: DOWN };
      hadLock ||= answer.held;
      return answer;
    },
    which: async (tool) => (await current?.which(tool)) ?? null,
    onLost: (handler) => void lostHandlers.push(handler),
    close: async () => {
      isClosing = true;
      cancelRestart();
      await current?.close();
      current = null;
    },
  };
}

const DOWN = 'The launcher process is being started again.';

function neverStarted(): LauncherChild {
  const gone = (): Promise<never> => Promise.reject(new ChildGoneError());
  return {
    pid: Promise.resolve(null),
    write: gone,
    end: () => {},
    kill: () => {},
    exit: Promise.resolve({ exitCode: null, signal: null, spawnError: DOWN }),
  };
}

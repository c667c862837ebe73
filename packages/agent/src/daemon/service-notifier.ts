import type { Clock } from '../clock.ts';
import type { Launcher } from '../launcher/launcher-client.ts';

/** Tells systemd how the agent is (sd_notify(3)); nothing at all where it was not started by it. */
export interface ServiceNotifier {
  ready(): Promise<void>;
  stopping(): Promise<void>;
  /** Ends the watchdog's messages. */
  close(): void;
}

export interface ServiceNotifierOptions {
  readonly launcher: Launcher;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** False: the apply loop hangs. Then the watchdog hears nothing more, and systemd starts the agent again. */
  readonly isAlive: () => boolean;
}

const TIMEOUT_SECONDS = 5;

/** Node has no unix datagram sockets, so `systemd-notify` speaks (the unit needs NotifyAccess=all). */
export function createServiceNotifier({
  launcher,
  clock,
  environment,
  isAlive,
}: ServiceNotifierOptions): ServiceNotifier {
  const socket = environment.NOTIFY_SOCKET;
  const watchdogMs = Number(environment.WATCHDOG_USEC ?? 0) / 1000;
  let cancel: () => void = () => {};

  const say = async (...words: readonly string[]): Promise<void> => {
    if (socket === undefined) return;
    const file = await launcher.which('systemd-notify');
    if (file === null) return;
    await launcher.run({ file, args: words, env: { NOTIFY_SOCKET: socket }, timeoutSeconds: TIMEOUT_SECONDS });
  };
  const watch = (): void => {
    if (isAlive()) void say('WATCHDOG=1');
    cancel = clock.after(watchdogMs / 3, watch);
  };

  return {
    ready: async () => {
      await say('--ready', `--pid=${process.pid}`);
      if (socket !== undefined && watchdogMs > 0) watch();
    },
    stopping: () => say('STOPPING=1'),
    close: () => cancel(),
  };
}

import type { ManagedProcess } from './managed-process.ts';

/** What keeping a program running depends on. */
export interface KeepRunning {
  readonly start: () => ManagedProcess;
  /** Resolves when the program answers; rejects with why it never will. Aborted when the program ends. */
  readonly untilReady: (process: ManagedProcess, signal: AbortSignal) => Promise<void>;
  /** Tells a person that it ended by itself and when it is started again. */
  readonly tell: (sentence: string) => void;
  /** Resolves after `ms`, or at once when `signal` is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborted when everything is to stop. */
  readonly stop: AbortSignal;
}

const backOffMsMin = 500;
const backOffMsMax = 30_000;

/**
 * Runs a program until `stop`: resolves once it answered for the first time and goes on keeping it running, as a service
 * manager would, with a pause that doubles while it does not come up. One that ends before its first answer is not
 * tried again: then something is wrong that a person must mend, and this rejects.
 */
export async function keepRunning(options: KeepRunning): Promise<{ readonly current: () => ManagedProcess }> {
  let process = options.start();
  await ready(options, process);
  void (async () => {
    let backOffMs = backOffMsMin;
    for (;;) {
      const how = await process.ended;
      if (options.stop.aborted) return;
      options.tell(`the ${process.name} ended by itself (${how}); starting it again in ${backOffMs / 1000} s`);
      await options.pause(backOffMs, options.stop);
      if (options.stop.aborted) return;
      process = options.start();
      try {
        await ready(options, process);
        backOffMs = backOffMsMin;
      } catch (error) {
        if (options.stop.aborted) return;
        options.tell(error instanceof Error ? error.message : String(error));
        process.signal('SIGKILL');
        backOffMs = Math.min(backOffMs * 2, backOffMsMax);
      }
    }
  })();
  return { current: () => process };
}

async function ready({ untilReady, stop }: KeepRunning, process: ManagedProcess): Promise<void> {
  const ended = new AbortController();
  void process.ended.then((how) => ended.abort(new Error(`the ${process.name} ended before it answered (${how})`)));
  const signal = AbortSignal.any([stop, ended.signal]);
  await untilReady(process, signal);
  signal.throwIfAborted();
}

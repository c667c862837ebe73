/**
 * Why what is being measured has to end: the benchmark was told to, or a goal took longer than it may. One goal is measured
 * at a time, so one of these is enough; whoever starts something that would stay behind races its work with it.
 */
let interrupt: (why: Error) => void = () => undefined;
let reason: Error | null = null;
let current = armed();
let signalled: Error | null = null;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // It stays: whoever starts children listens too, and ends the process at once where nobody else does.
  process.on(signal, () => {
    signalled ??= new Error(`told to end by ${signal}`);
    interrupt(signalled);
  });
}

/** Rejects when what is under way has to end. */
export const interrupted = (): Promise<never> => current;

/** Throws when what is under way has to end: for loops that wait. */
export function throwIfInterrupted(): void {
  if (reason !== null) throw reason;
}

/** Whether the whole benchmark was told to end. */
export const isToldToEnd = (): boolean => signalled !== null;

/** Does something that may take so many seconds; then it is interrupted, and given `graceSeconds` to take away what it made. */
export async function within<T>(seconds: number, work: () => Promise<T>, graceSeconds = 20): Promise<T> {
  current = armed();
  if (signalled !== null) interrupt(signalled);
  const timer = setTimeout(() => interrupt(new TookTooLong(seconds)), seconds * 1000);
  const done = work();
  try {
    return await Promise.race([done, current]);
  } catch (error) {
    await Promise.race([done.catch(() => undefined), pauseOf(graceSeconds * 1000)]);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Something took longer than it may. */
export class TookTooLong extends Error {
  constructor(seconds: number) {
    super(`took longer than ${seconds} s`);
    this.name = 'TookTooLong';
  }
}

function armed(): Promise<never> {
  reason = null;
  const promise = new Promise<never>((_, reject) => {
    interrupt = (why) => {
      reason = why;
      reject(why);
    };
  });
  // Nobody may be waiting for it just then.
  promise.catch(() => undefined);
  return promise;
}

const pauseOf = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/**
 * Loaded before a program (`node --import`), it moves the wall clock of that program alone: at SIGUSR2 the offset in
 * milliseconds is read from the file that SETKEEPER_CLOCK_OFFSET names. Timers and the monotonic clock go on, as they do
 * when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const file = process.env.SETKEEPER_CLOCK_OFFSET;
if (file !== undefined) {
  const real = Date;
  const realNow = Date.now.bind(Date);
  let offsetMs = 0;
  const now = (): number => realNow() + offsetMs;
  globalThis.Date = new Proxy(real, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
    apply: () => new real(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  process.on('SIGUSR2', () => {
    offsetMs = Number(readFileSync(file, 'utf8'));
  });
}

import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '../clock.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';

/** How often the agent looks at itself, and what it finds worth telling. */
const EVERY_MS = 10_000;
const JUMP_MS_MIN = 5_000;
const SLOW_MS_MIN = 1_000;
/** A problem of ours stands for so long after it was last seen. */
const STANDS_MS = 10 * 60_000;
const NANOSECONDS_A_MS = 1e6;

/** Watches the clock for jumps and the event loop for long blocks. Returns what ends it. */
export function watchItself(clock: Clock, problems: ProblemBoard): () => void {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let offset = clock.now() - clock.monotonic();
  let jumpSeenAt = Number.NEGATIVE_INFINITY;
  let slowSeenAt = Number.NEGATIVE_INFINITY;
  let cancel: () => void = () => {};

  const look = (): void => {
    const at = clock.monotonic();
    const jumpMs = clock.now() - at - offset;
    offset += jumpMs;
    if (Math.abs(jumpMs) >= JUMP_MS_MIN) {
      jumpSeenAt = at;
      problems.raise({
        code: 'clock-jump',
        subject: 'clock',
        message: `The machine's clock jumped by ${(jumpMs / 1000).toFixed(1)} s.`,
        consequence:
          'Times before and after it cannot be compared; pauses and expiries are not affected where they are measured.',
        remedy: 'Check the time service of this machine.',
      });
    } else if (at - jumpSeenAt > STANDS_MS) problems.clear('clock-jump', 'clock');
    const blockedMs = delay.max / NANOSECONDS_A_MS;
    delay.reset();
    if (blockedMs >= SLOW_MS_MIN) {
      slowSeenAt = at;
      problems.raise({
        code: 'agent-slow',
        subject: 'event loop',
        message: `The agent did nothing else for ${(blockedMs / 1000).toFixed(1)} s.`,
        consequence: 'Answers and changes were late by so much.',
        remedy: 'Give the machine more processor time, or look at what was asked of the agent then.',
      });
    } else if (at - slowSeenAt > STANDS_MS) problems.clear('agent-slow', 'event loop');
    cancel = clock.after(EVERY_MS, look);
  };
  cancel = clock.after(EVERY_MS, look);
  return () => {
    cancel();
    delay.disable();
  };
}

import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';

/** Whether the apply loop still moves: what the service's watchdog is fed by. */
export interface Liveness {
  /** A bus for the engine: what it says is passed on, and proves that it moves. */
  readonly bus: EventBus;
  /** The engine has nothing left to do. */
  moved(): void;
  isAlive(isRunning: boolean): boolean;
}

/** A run that says nothing for so long hangs: progress is told ten times a second, and no step takes minutes. */
const SILENT_MS_MAX = 5 * 60_000;

export function createLiveness(clock: Clock, bus: EventBus): Liveness {
  let movedAt = clock.monotonic();
  let wasRunning = false;
  const moved = (): void => {
    movedAt = clock.monotonic();
  };
  return {
    bus: {
      emit: (event) => {
        moved();
        bus.emit(event);
      },
    },
    moved,
    isAlive: (isRunning) => {
      // An idle engine has nothing to say; the silence is counted from when a run was first seen.
      if (!isRunning || !wasRunning) moved();
      wasRunning = isRunning;
      return clock.monotonic() - movedAt < SILENT_MS_MAX;
    },
  };
}

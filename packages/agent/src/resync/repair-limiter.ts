import type { Clock } from '../clock.ts';
import type { RepairedSet } from '../engine/ports.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { SetKey } from '../sets/set-key.ts';

/** More repairs than this in `WINDOW_MS` is a fight. */
const REPAIRS_MAX = 10;
const WINDOW_MS = 5 * 60_000;
/** A set that is fought over is repaired at most so often. */
const FIGHT_PAUSE_MS = 60_000;
/** A fight is over when nothing had to be repaired for so long. */
const QUIET_MS = 5 * 60_000;

interface Record {
  readonly title: string;
  /** When it was repaired, within the window, oldest first (milliseconds since 1970). */
  repairs: number[];
  isFight: boolean;
  cancelQuiet: (() => void) | null;
}

/**
 * Keeps Setkeeper from fighting: a set that somebody changes again and again is repaired at most once a minute until it
 * was quiet for five, and a problem says so. Where nobody fights it costs nothing.
 */
export class RepairLimiter {
  readonly #clock: Clock;
  readonly #problems: ProblemBoard;
  /** A fight ended: what waited may be repaired. */
  readonly #onQuiet: () => void;
  readonly #records = new Map<SetKey, Record>();

  constructor(clock: Clock, problems: ProblemBoard, onQuiet: () => void) {
    this.#clock = clock;
    this.#problems = problems;
    this.#onQuiet = onQuiet;
  }

  /** Until when a drifted set is not repaired (milliseconds since 1970); null: it may be now. */
  pausedUntil(key: SetKey): number | null {
    const record = this.#records.get(key);
    const last = record?.repairs.at(-1);
    return record?.isFight === true && last !== undefined ? last + FIGHT_PAUSE_MS : null;
  }

  repaired({ key, title, name }: RepairedSet): void {
    const now = this.#clock.now();
    const record = this.#records.get(key) ?? { title, repairs: [], isFight: false, cancelQuiet: null };
    this.#records.set(key, record);
    record.repairs = [...record.repairs.filter((at) => now - at < WINDOW_MS), now];
    record.cancelQuiet?.();
    record.cancelQuiet = this.#clock.after(QUIET_MS, () => this.#quiet(key));
    if (record.isFight || record.repairs.length <= REPAIRS_MAX) return;
    record.isFight = true;
    this.#problems.raise({
      code: 'drift-fight',
      subject: title,
      message: `Somebody changes ${name} again and again: it was repaired ${record.repairs.length} times in 5 minutes.`,
      consequence:
        'It is repaired at most once a minute until 5 minutes were quiet; in between it is not what the model says.',
      remedy:
        'Find out who else writes this set ("setkeeper runs --set", the drift tab of the set), and stop it; or hold the set.',
    });
  }

  /** Ends all timers. */
  stop(): void {
    for (const record of this.#records.values()) record.cancelQuiet?.();
  }

  #quiet(key: SetKey): void {
    const record = this.#records.get(key);
    this.#records.delete(key);
    if (record?.isFight !== true) return;
    this.#problems.clear('drift-fight', record.title);
    this.#onQuiet();
  }
}

import type { Holder } from '@setkeeper/api';
import type { ListedSet } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { HolderReader, HolderReading } from '../holders/holder-reading.ts';
import type { KernelReader, ReadFault, Reading, UnreadableSet } from '../kernel/kernel-reader.ts';
import { LeakTracker } from '../leaks/leak-tracker.ts';

/** The newest headers of the host. Times: milliseconds since 1970. */
export interface HostHeaders {
  readonly at: number;
  readonly sets: readonly ListedSet[];
  readonly unreadable: readonly UnreadableSet[];
}

export interface HostObserverPorts {
  /** Told to this observer (`heardReader`), so that it also hears what others read. */
  readonly reader: KernelReader;
  readonly holders: HolderReader;
  readonly clock: Clock;
  readonly leaksAfterSeconds: number;
}

/** What a new reading said: `sets`: some appeared, went, or changed type, family or References; `holders`: others hold them; `nothing` new. */
export type HostNews = 'sets' | 'holders' | 'nothing';

/** In the background, rules are read at most so often: huge rule sets take seconds. */
const BACKGROUND_HOLDERS_MS = 60_000;

/**
 * Keeps the newest readings of the host's sets and of what holds them. Headers come from whoever reads them; holders are
 * read again when a References number changed, when a leak is to be confirmed, or when asked. Writes nothing.
 */
export class HostObserver {
  readonly leaks = new LeakTracker();
  readonly #ports: HostObserverPorts;
  #headers: HostHeaders | null = null;
  #fault: ReadFault | null = null;
  #holders: HolderReading | null = null;
  #backgroundAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | null = null;
  #isReading = false;
  #isStopped = true;
  #cancelPoll: (() => void) | null = null;
  #listener: (news: HostNews) => void = () => {};

  constructor(ports: HostObserverPorts) {
    this.#ports = ports;
  }

  /** `listener` hears of each new reading, also of one that failed. */
  listen(listener: (news: HostNews) => void): void {
    this.#listener = listener;
  }

  /** The newest headers that could be read; null: none yet. */
  get headers(): HostHeaders | null {
    return this.#headers;
  }

  /** Why the newest reading of headers failed; null: it did not. */
  get fault(): ReadFault | null {
    return this.#fault;
  }

  /** The newest reading of holders; null: none yet. */
  get holders(): HolderReading | null {
    return this.#holders;
  }

  /** From now on holders are read in the background; headers too, every so many seconds, where nobody else reads them. */
  start(headersSeconds: number | null): void {
    this.#isStopped = false;
    this.#schedule();
    if (headersSeconds !== null) this.#poll(headersSeconds * 1000);
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#cancelPoll?.();
  }

  /** Somebody read the headers. */
  hear(reading: Reading<readonly ListedSet[]>): void {
    if (!reading.ok) {
      this.#fault = reading.fault;
      this.#listener('nothing');
      return;
    }
    const before = this.#headers;
    this.#fault = null;
    this.#headers = { at: reading.at, sets: reading.value, unreadable: reading.unreadable ?? [] };
    const isSame = before !== null && isSameSets(before.sets, reading.value);
    this.#listener(isSame ? 'nothing' : 'sets');
    this.#schedule();
  }

  /** Headers anew; the fault if they cannot be read. */
  async readHeaders(): Promise<HostHeaders | ReadFault> {
    const reading = await this.#ports.reader.headers();
    if (!reading.ok) return reading.fault;
    return { at: reading.at, sets: reading.value, unreadable: reading.unreadable ?? [] };
  }

  /** Headers and holders anew, as they belong together. */
  async readHolders(): Promise<HolderReading> {
    this.#backgroundAt = this.#ports.clock.monotonic();
    const reading = await this.#ports.holders.read();
    const before = this.#holders;
    if (before === null || reading.at >= before.at) {
      this.#holders = reading;
      this.leaks.observe(reading);
      this.#listener(before !== null && isSameHolders(before, reading) ? 'nothing' : 'holders');
    }
    this.#schedule();
    return reading;
  }

  #poll(everyMs: number): void {
    const again = (): void => {
      if (this.#isStopped || everyMs <= 0) return;
      this.#cancelPoll = this.#ports.clock.after(everyMs, () => this.#poll(everyMs));
    };
    this.readHeaders().then(again, again);
  }

  #schedule(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    if (this.#isStopped || this.#isReading) return;
    const wait = this.#waitMs();
    if (wait === null) return;
    this.#cancelTimer = this.#ports.clock.after(wait, () => {
      this.#cancelTimer = null;
      this.#isReading = true;
      const ended = (): void => {
        this.#isReading = false;
        this.#schedule();
      };
      this.readHolders().then(ended, ended);
    });
  }

  /** How long until holders are to be read; null: nothing asks for it. */
  #waitMs(): number | null {
    const { clock, leaksAfterSeconds } = this.#ports;
    const earliest = Math.max(0, this.#backgroundAt + BACKGROUND_HOLDERS_MS - clock.monotonic());
    if (this.#headers === null) return null;
    if (this.#holders === null || !isSameReferences(this.#holders.sets, this.#headers.sets)) return earliest;
    const confirmAt = this.leaks.confirmAt(leaksAfterSeconds);
    return confirmAt === null ? null : Math.max(earliest, confirmAt - clock.now());
  }
}

function isSameSets(before: readonly ListedSet[], after: readonly ListedSet[]): boolean {
  if (before === after) return true;
  if (before.length !== after.length) return false;
  return before.every((set, i) => {
    const other = after[i];
    return (
      other !== undefined &&
      set.header.name === other.header.name &&
      set.header.type === other.header.type &&
      set.header.family === other.header.family &&
      set.references === other.references
    );
  });
}

/** Whether the same holds the same sets. Packet counters do not count. O(holders). */
function isSameHolders(before: HolderReading, after: HolderReading): boolean {
  if (before.holders.size !== after.holders.size || before.isConclusive !== after.isConclusive) return false;
  if (!isSamePlaces(before.possible, after.possible) || before.unreadable.length !== after.unreadable.length)
    return false;
  for (const [set, holders] of after.holders) if (!isSamePlaces(before.holders.get(set) ?? [], holders)) return false;
  return true;
}

const isSamePlaces = (before: readonly Holder[], after: readonly Holder[]): boolean =>
  before.length === after.length &&
  before.every(
    ({ where, rule, count }, i) => where === after[i]?.where && rule === after[i]?.rule && count === after[i]?.count,
  );

/** Whether each set has as many References in both readings; sets without any do not matter. O(sets). */
function isSameReferences(before: readonly ListedSet[] | null, after: readonly ListedSet[]): boolean {
  if (before === after) return true;
  if (before === null) return false;
  const counts = new Map<string, number>();
  for (const { header, references } of before) if ((references ?? 0) > 0) counts.set(header.name, references ?? 0);
  let held = 0;
  for (const { header, references } of after) {
    if ((references ?? 0) === 0) continue;
    held += 1;
    if (counts.get(header.name) !== references) return false;
  }
  return held === counts.size;
}

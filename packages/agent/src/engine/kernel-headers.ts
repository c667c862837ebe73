import { type HeaderDifference, headerDifferences, type ListedSet, type SetHeader } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import { headerOf } from '../sets/section-for.ts';
import type { EngineState, HeaderReading } from './engine-state.ts';

/**
 * Reads all headers and enters them in the sets they are of; null if they could not be read, which is a problem and
 * never "the sets are gone". Concurrent callers share one reading.
 */
export class HeaderReader {
  readonly #state: EngineState;
  readonly #onNoted: (reading: HeaderReading) => void;
  #running: Promise<HeaderReading | null> | null = null;
  /** The last list that was read, and what was made of it: nothing changes on most hosts from one reading to the next. */
  #listed: readonly ListedSet[] = [];
  #byName: HeaderReading['byName'] = new Map();

  constructor(state: EngineState, onNoted: (reading: HeaderReading) => void) {
    this.#state = state;
    this.#onNoted = onNoted;
  }

  read(): Promise<HeaderReading | null> {
    this.#running ??= this.#read().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** A reading that began now or later: one that is under way may be too old. */
  async readFresh(): Promise<HeaderReading | null> {
    if (this.#running !== null) await this.#running;
    return this.read();
  }

  async #read(): Promise<HeaderReading | null> {
    const { ports, tick } = this.#state;
    const reading = await ports.reader.headers();
    if (!reading.ok) {
      ports.problems.raise({
        code: 'kernel-unreadable',
        subject: 'ipset list',
        message: `The kernel's sets cannot be read: ${reading.fault.message}`,
        consequence: 'What is programmed is not compared with the kernel.',
        remedy: 'Run "setkeeper doctor"; it names what is missing.',
      });
      return null;
    }
    ports.problems.clear('kernel-unreadable', 'ipset list');
    const byName =
      reading.value === this.#listed
        ? this.#byName
        : new Map(reading.value.map((listed) => [listed.header.name, listed]));
    this.#listed = reading.value;
    this.#byName = byName;
    const unreadable = new Set<string>((reading.unreadable ?? []).map(({ name }) => name));
    const noted: HeaderReading = { at: reading.at, tick, byName, unreadable };
    this.#state.headers = noted;
    for (const set of this.#state.registry.all()) noteHeader(set, noted);
    this.#onNoted(noted);
    return noted;
  }
}

/** Whether a reading says anything of a set: it began after the last run that wrote it. */
export const saysSomething = (set: ManagedSet, reading: Pick<HeaderReading, 'tick'>): boolean =>
  !set.isInFlight && set.writtenTick <= reading.tick;

/** Enters what a reading said of a set; nothing if it said nothing. */
export function noteHeader(set: ManagedSet, reading: HeaderReading): void {
  if (!saysSomething(set, reading) || reading.unreadable.has(set.name)) return;
  const listed = reading.byName.get(set.name);
  set.seen = listed === undefined ? null : { listed, at: reading.at };
}

/** Whether the kernel's set may be kept. If not, the set learns how it has to be made anew, or that it cannot be while it is used. */
export function fitsHeader(set: ManagedSet, listed: ListedSet): boolean {
  const differences = differencesOf(set, listed);
  if (set.isHandedOver) set.maxelem = listed.header.maxelem;
  const gravest = differences.find(({ repair }) => repair === 'recreate');
  const words = differences.map(({ field, wanted, seen }) => `${field} ${seen} instead of ${wanted}`).join(', ');
  set.conflict = null;
  set.remake = null;
  if (gravest !== undefined) {
    const cause = `the kernel's set ${set.name} has ${words}`;
    if (set.isHandedOver || listed.references !== 0) set.conflict = cause;
    else set.remake = { how: 'recreate', cause };
    return false;
  }
  if (differences.length > 0) set.remake = { how: 'rewrite', cause: `the kernel's set has ${words}` };
  return true;
}

/** What of the kernel's set is not as it should be. Cheap where all is well: it is asked of every set every few seconds. */
export function differencesOf(set: ManagedSet, { header }: ListedSet): readonly HeaderDifference[] {
  if (isAsCreated(set, header)) return [];
  const wanted: SetHeader = { ...headerOf(set), type: set.type, family: set.family };
  return headerDifferences(wanted, header).filter(
    // A set that was handed over keeps its parameters: rules and other tools may rely on them.
    ({ repair }) => repair === 'recreate' || !set.isHandedOver,
  );
}

function isAsCreated(set: ManagedSet, header: SetHeader): boolean {
  return (
    header.type === set.type &&
    header.family === set.family &&
    header.maxelem === set.maxelem &&
    header.timeout === null &&
    header.netmask === null &&
    header.bitmask === null &&
    !(header.counters || header.comment || header.skbinfo || header.forceadd)
  );
}

import type { SetName } from '@setkeeper/ipset';

/** Sets of one file: libipset keeps a linear list of them, so many files load faster than one (docs/PERFORMANCE.md). */
const SETS_A_FILE_MAX = 250;
/** A set of more elements has a file of its own: a change of it writes nobody else again, and the other way round. */
const SHARED_ELEMENTS_MAX = 50_000;

/** What the layout has to know of a set that is to be written down. */
export interface PlacedSet {
  readonly name: SetName;
  readonly isList: boolean;
  readonly elements: number;
}

/** The form of our files. Everything else in the directory is somebody else's, and left alone. */
const OWN_FILE = /^(?:1-sets|2-lists)-[0-9]{5}\.restore$/u;

export const isBootFileName = (name: string): boolean => OWN_FILE.test(name);

/** Lists are loaded after every hash set, by name. */
export const isListFile = (name: string): boolean => name.startsWith('2-');

/**
 * Which set stands in which boot file. A set stays where it is for as long as it is written down, so that a change
 * writes one file again and not all of them.
 */
export class BootLayout {
  readonly #fileOf = new Map<SetName, string>();
  readonly #setsOf = new Map<string, Set<SetName>>();

  /** A file that was found, with the sets in it. A set that stands in an earlier one already is not taken again. */
  found(file: string, sets: Iterable<SetName>): void {
    this.#setsOf.set(file, new Set());
    for (const set of sets) if (!this.#fileOf.has(set)) this.#put(set, file);
  }

  /** Exactly these sets are written down from now on. Gives back the files whose sets are others than before. O(sets). */
  place(sets: readonly PlacedSet[]): ReadonlySet<string> {
    const changed = new Set<string>();
    const wanted = new Map(sets.map((set) => [set.name, set]));
    for (const [name, file] of this.#fileOf) {
      const set = wanted.get(name);
      if (set !== undefined && set.isList === isListFile(file)) continue;
      this.#fileOf.delete(name);
      this.#setsOf.get(file)?.delete(name);
      changed.add(file);
    }
    for (const [file, names] of this.#setsOf) {
      if (names.size > 0) continue;
      this.#setsOf.delete(file);
      changed.delete(file);
    }
    const rooms = new Rooms(this.#setsOf, (name) => (wanted.get(name)?.elements ?? 0) > SHARED_ELEMENTS_MAX);
    for (const set of sets) {
      if (this.#fileOf.has(set.name)) continue;
      const isLarge = set.elements > SHARED_ELEMENTS_MAX;
      const file = isLarge ? rooms.fresh(set.isList) : rooms.shared(set.isList);
      this.#put(set.name, file);
      changed.add(file);
    }
    return changed;
  }

  /** In the order in which they are loaded. */
  files(): readonly string[] {
    return [...this.#setsOf.keys()].sort();
  }

  setsOf(file: string): Iterable<SetName> {
    return this.#setsOf.get(file) ?? [];
  }

  has(set: SetName): boolean {
    return this.#fileOf.has(set);
  }

  #put(set: SetName, file: string): void {
    this.#fileOf.set(set, file);
    const names = this.#setsOf.get(file) ?? new Set();
    names.add(set);
    this.#setsOf.set(file, names);
  }
}

/** Finds a file with room, or a name for a new one. */
class Rooms {
  readonly #setsOf: ReadonlyMap<string, ReadonlySet<SetName>>;
  readonly #isLarge: (name: SetName) => boolean;
  readonly #open = new Map<boolean, string>();

  constructor(setsOf: ReadonlyMap<string, ReadonlySet<SetName>>, isLarge: (name: SetName) => boolean) {
    this.#setsOf = setsOf;
    this.#isLarge = isLarge;
  }

  shared(isList: boolean): string {
    const open = this.#open.get(isList);
    if (open !== undefined && this.#size(open) < SETS_A_FILE_MAX) return open;
    const file = [...this.#setsOf.keys()].sort().find((each) => isListFile(each) === isList && this.#hasRoom(each));
    const found = file ?? this.fresh(isList);
    this.#open.set(isList, found);
    return found;
  }

  fresh(isList: boolean): string {
    for (let number = 1; ; number++) {
      const file = `${isList ? '2-lists' : '1-sets'}-${String(number).padStart(5, '0')}.restore`;
      if (!this.#setsOf.has(file)) return file;
    }
  }

  #hasRoom(file: string): boolean {
    return this.#size(file) < SETS_A_FILE_MAX && ![...(this.#setsOf.get(file) ?? [])].some(this.#isLarge);
  }

  #size(file: string): number {
    return this.#setsOf.get(file)?.size ?? 0;
  }
}

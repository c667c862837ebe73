import type { Fault } from '@setkeeper/api';
import { sortInSlices } from '../../listing/sliced-sort.ts';
import { keyParts } from '../../model/object-text.ts';
import type { ObjectKey } from '../../model/objects.ts';
import type { ParsedObject } from '../../model/parse-documents.ts';
import { sectionOf } from '../../model/section.ts';
import { ShardedMap } from '../../model/sharded-map.ts';
import { type Place, StoredRecord } from '../../model/stored-record.ts';
import { visibleText } from '../../model/visible-text.ts';
import type { Breathe } from '../breather.ts';
import type { ParsedFile } from './parsed-file.ts';

/** What one generation changed. `saved`: the part that last good content must learn (not: an object that only moved to another line). */
export interface ContentChange {
  readonly upserts: readonly StoredRecord[];
  readonly saved: readonly StoredRecord[];
  readonly deletes: readonly ObjectKey[];
}

/** An object that a file names without saying a value to be taken: its last good value stays. */
interface Unsaid {
  readonly key: ObjectKey;
  readonly line: number;
  readonly text: null;
}
type Claim = StoredRecord | Unsaid;

/** The objects that one file names. */
class FileClaims {
  readonly path: string;
  readonly faults: readonly Fault[];
  claims: readonly Claim[];
  /** What is known of an object that this file alone names, and that has no value yet: the same for all of them. */
  readonly alone: Slot = { record: null, files: [this] };

  constructor(path: string, claims: readonly Claim[], faults: readonly Fault[]) {
    this.path = path;
    this.claims = claims;
    this.faults = faults;
  }
}

/** What is known of one object: its last good value, and the files that name it, sorted by path: the first one counts. */
interface Slot {
  readonly record: StoredRecord | null;
  readonly files: readonly FileClaims[];
}

/** Nearly every object has a value and is named by the one file that it came from: then its record says everything. */
type Entry = StoredRecord | Slot;

const EMPTY: Slot = { record: null, files: [] };

/**
 * The objects of a model directory, generation by generation, with their last good values. Pure.
 *
 * A file that does not parse still claims what it named before, and a file that parses only in part still claims what it
 * no longer names: only a file that is read whole, or gone, takes objects away. A generation costs O(objects of the
 * changed files).
 */
export class DirectoryContent {
  readonly #source: string;
  readonly #files = new Map<string, FileClaims>();
  readonly #entries = new ShardedMap<ObjectKey, Entry>();
  readonly #contested = new Set<ObjectKey>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Begins with what the store kept: each object is claimed, without a value, by the file it came from. */
  async restore(lastGood: Iterable<StoredRecord>, breathe: Breathe): Promise<void> {
    const claims = new Map<string, Claim[]>();
    for (const record of lastGood) {
      const path = record.place.file ?? '';
      const ofFile = claims.get(path) ?? [];
      claims.set(path, ofFile);
      ofFile.push(unsaid(record));
      this.#entries.set(record.key, record);
      const pause = breathe();
      if (pause !== null) await pause;
    }
    for (const [path, ofFile] of claims) this.#files.set(path, new FileClaims(path, ofFile, []));
  }

  /** Objects with a value. O(objects). */
  get size(): number {
    let count = 0;
    for (const entry of this.#entries.values()) if (entry instanceof StoredRecord || entry.record !== null) count++;
    return count;
  }

  paths(): IterableIterator<string> {
    return this.#files.keys();
  }

  /** The faults that stand, with those of objects that several files name. */
  faults(): readonly Fault[] {
    const faults = [...this.#files.values()].flatMap((file) => file.faults);
    for (const key of this.#contested) {
      const [first, ...others] = this.#slotOf(key).files;
      for (const other of others) faults.push(duplicate(key, first, other));
    }
    return faults;
  }

  /** Takes files that changed (null: gone). `commit` is noted on what changed. */
  async apply(
    changed: ReadonlyMap<string, ParsedFile | null>,
    commit: string | undefined,
    breathe: Breathe,
  ): Promise<ContentChange> {
    const touched: Touched = new ShardedMap();
    const values: Values = new Map();
    for (const [path, parsed] of changed) {
      const before = this.#files.get(path);
      for (const { key } of before?.claims ?? []) {
        const pause = breathe();
        if (pause !== null) await pause;
        this.#unclaim(key, path, touched);
      }
      if (parsed === null) {
        this.#files.delete(path);
        continue;
      }
      const file = new FileClaims(path, [], parsed.faults);
      this.#files.set(path, file);
      values.set(path, await this.#read(file, parsed, before, commit, touched, breathe));
    }
    return this.#settleAll(touched, values, breathe);
  }

  /** Drops every last good value that no file says now: what is said now is complete. */
  async acceptAsComplete(breathe: Breathe): Promise<ContentChange> {
    const touched: Touched = new ShardedMap();
    for (const file of this.#files.values()) {
      const unsaidHere = file.claims.filter(({ text }) => text === null);
      if (unsaidHere.length === 0) continue;
      for (const { key } of unsaidHere) this.#unclaim(key, file.path, touched);
      file.claims = file.claims.filter(({ text }) => text !== null);
    }
    return this.#settleAll(touched, new Map(), breathe);
  }

  /** Enters everything that a file claims, and gives it by key. */
  async #read(
    file: FileClaims,
    parsed: ParsedFile,
    before: FileClaims | undefined,
    commit: string | undefined,
    touched: Touched,
    breathe: Breathe,
  ): Promise<ClaimsByKey> {
    const places = placesOf({ source: this.#source, file: file.path });
    const claims: Claim[] = [];
    const byKey: ClaimsByKey = parsed.objects.length > ENTRIES_A_MAP ? new ShardedMap() : new Map();
    const enter = (claim: Claim) => {
      claims.push(claim);
      byKey.set(claim.key, claim);
      this.#claim(claim.key, file, touched);
    };
    for (const object of parsed.objects) {
      const pause = breathe();
      if (pause !== null) await pause;
      enter(this.#claimOf(object, file.path, commit, places));
    }
    if (parsed.extent !== 'whole') {
      for (const claim of before?.claims ?? []) if (!byKey.has(claim.key)) enter(unsaid(claim));
    }
    file.claims = claims;
    return byKey;
  }

  /** What a file says of an object, as the very record that stands if it says the same. An object keeps the commit that last changed it. */
  #claimOf({ key, line, text }: ParsedObject, path: string, commit: string | undefined, places: Places): Claim {
    if (text === null) return { key, line, text };
    const stands = this.#recordOf(key);
    if (stands === null || stands.text !== text) return new StoredRecord(key, text, places(commit), line);
    if (stands.place.file === path && stands.line === line) return stands;
    return new StoredRecord(key, stands.text, places(stands.place.commit), line);
  }

  #slotOf(key: ObjectKey): Slot {
    const entry = this.#entries.get(key) ?? EMPTY;
    if (!(entry instanceof StoredRecord)) return entry;
    const file = this.#files.get(entry.place.file ?? '');
    return { record: entry, files: file?.alone.files ?? [] };
  }

  #recordOf(key: ObjectKey): StoredRecord | null {
    const entry = this.#entries.get(key) ?? EMPTY;
    return entry instanceof StoredRecord ? entry : entry.record;
  }

  #unclaim(key: ObjectKey, path: string, touched: Touched): void {
    touched.set(key, true);
    const { record, files } = this.#slotOf(key);
    this.#entries.set(key, { record, files: files.filter((file) => file.path !== path) });
  }

  #claim(key: ObjectKey, file: FileClaims, touched: Touched): void {
    touched.set(key, true);
    const { record, files } = this.#slotOf(key);
    if (files.length === 0) {
      this.#entries.set(key, record === null ? file.alone : { record, files: file.alone.files });
      return;
    }
    this.#entries.set(key, { record, files: [...files, file].sort((a, b) => (a.path < b.path ? -1 : 1)) });
  }

  async #settleAll(touched: Touched, values: Values, breathe: Breathe): Promise<ContentChange> {
    const change = { upserts: [] as StoredRecord[], saved: [] as StoredRecord[], deletes: [] as ObjectKey[] };
    const keys: ObjectKey[] = [];
    for (const key of touched.keys()) {
      const pause = breathe();
      if (pause !== null) await pause;
      keys.push(key);
    }
    for (const key of await sortInSlices(keys, inOrder, breathe)) {
      const pause = breathe();
      if (pause !== null) await pause;
      const before = this.#recordOf(key);
      const after = this.#settle(key, values);
      if (after === before) continue;
      if (after === null) {
        change.deletes.push(key);
        continue;
      }
      change.upserts.push(after);
      if (before?.text !== after.text || before.place.file !== after.place.file) change.saved.push(after);
    }
    return change;
  }

  /** Brings one entry up to date and gives its record: the same one if nothing changed. */
  #settle(key: ObjectKey, values: Values): StoredRecord | null {
    const { record: before, files } = this.#slotOf(key);
    const [winner] = files;
    if (files.length > 1) this.#contested.add(key);
    else this.#contested.delete(key);
    if (winner === undefined) {
      this.#entries.delete(key);
      return null;
    }
    const known = values.get(winner.path) ?? claimsByKey(winner);
    values.set(winner.path, known);
    const claim = known.get(key);
    const record = claim instanceof StoredRecord ? claim : before;
    const isPlain = record !== null && files.length === 1 && record.place.file === winner.path;
    this.#entries.set(key, isPlain ? record : { record, files });
    return record;
  }
}

/** Objects that a generation may have changed. */
type Touched = ShardedMap<ObjectKey, true>;
type ClaimsByKey = Pick<Map<ObjectKey, Claim>, 'get' | 'has'> & { set(key: ObjectKey, claim: Claim): unknown };
/** What the changed files claim, by path and key. */
type Values = Map<string, ClaimsByKey>;

/** From so many entries on a plain map is slow to grow. */
const ENTRIES_A_MAP = 20_000;

/**
 * The order in which a generation is told: profiles before the endpoints that name them, which makes the endpoints cheap
 * to take in; then by key, which makes the rows cheap to store.
 */
function inOrder(a: ObjectKey, b: ObjectKey): number {
  const [isProfileA, isProfileB] = [a.startsWith('profile/'), b.startsWith('profile/')];
  if (isProfileA !== isProfileB) return isProfileA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function claimsByKey({ claims }: FileClaims): ClaimsByKey {
  const byKey: ClaimsByKey = claims.length > ENTRIES_A_MAP ? new ShardedMap() : new Map();
  for (const claim of claims) byKey.set(claim.key, claim);
  return byKey;
}

/** The places of one file, each made once. */
type Places = (commit: string | undefined) => Place;

function placesOf(file: { readonly source: string; readonly file: string }): Places {
  const made = new Map<string | undefined, Place>();
  return (commit) => {
    const place = made.get(commit) ?? (commit === undefined ? file : { ...file, commit });
    made.set(commit, place);
    return place;
  };
}

const unsaid = ({ key, line }: Claim): Unsaid => ({ key, line, text: null });

function duplicate(key: ObjectKey, first: FileClaims | undefined, other: FileClaims): Fault {
  const { kind, id } = keyParts(key);
  const line = other.claims.find((claim) => claim.key === key)?.line ?? 1;
  const reason = `this id stands also in ${first?.path}, which comes first and counts`;
  return { file: other.path, line, path: `${sectionOf(kind)}.${visibleText(id)}`, reason, severity: 'error' };
}

import type { Fault } from '@setkeeper/api';
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
interface FileClaims {
  readonly path: string;
  claims: readonly Claim[];
  faults: readonly Fault[];
}

interface Slot {
  record: StoredRecord | null;
  /** The file that names it, or all of them sorted by path: the first one counts. */
  files: FileClaims | readonly FileClaims[];
}

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
  readonly #slots = new ShardedMap<ObjectKey, Slot>();
  readonly #contested = new Set<ObjectKey>();

  /** Begins with what the store kept: each object is claimed, without a value, by the file it came from. */
  constructor(source: string, lastGood: readonly StoredRecord[]) {
    this.#source = source;
    for (const [path, records] of Map.groupBy(lastGood, ({ place }) => place.file ?? '')) {
      const file = { path, claims: records.map(unsaid), faults: [] };
      this.#files.set(path, file);
      for (const record of records) this.#slots.set(record.key, { record, files: file });
    }
  }

  /** Objects with a value. */
  get size(): number {
    let count = 0;
    for (const { record } of this.#slots.values()) if (record !== null) count++;
    return count;
  }

  paths(): IterableIterator<string> {
    return this.#files.keys();
  }

  /** The faults that stand, with those of objects that several files name. */
  faults(): readonly Fault[] {
    const faults = [...this.#files.values()].flatMap((file) => file.faults);
    for (const key of this.#contested) {
      const [first, ...others] = filesOf(this.#slots.get(key));
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
      const file: FileClaims = { path, claims: [], faults: parsed.faults };
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
  ): Promise<ShardedMap<ObjectKey, Claim>> {
    const places = placesOf({ source: this.#source, file: file.path });
    const claims: Claim[] = [];
    const byKey = new ShardedMap<ObjectKey, Claim>();
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
    const stands = this.#slots.get(key)?.record ?? null;
    if (stands === null || stands.text !== text) return new StoredRecord(key, text, places(commit), line);
    if (stands.place.file === path && stands.line === line) return stands;
    return new StoredRecord(key, stands.text, places(stands.place.commit), line);
  }

  #unclaim(key: ObjectKey, path: string, touched: Touched): void {
    touched.set(key, true);
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    slot.files = filesOf(slot).filter((file) => file.path !== path);
  }

  #claim(key: ObjectKey, file: FileClaims, touched: Touched): void {
    touched.set(key, true);
    const slot = this.#slots.get(key);
    if (slot === undefined) {
      this.#slots.set(key, { record: null, files: file });
      return;
    }
    const others = filesOf(slot);
    slot.files = others.length === 0 ? file : [...others, file].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  async #settleAll(touched: Touched, values: Values, breathe: Breathe): Promise<ContentChange> {
    const change = { upserts: [] as StoredRecord[], saved: [] as StoredRecord[], deletes: [] as ObjectKey[] };
    for (const key of touched.keys()) {
      const pause = breathe();
      if (pause !== null) await pause;
      const before = this.#slots.get(key)?.record ?? null;
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

  /** Brings one slot up to date and gives its record: the same one if nothing changed. */
  #settle(key: ObjectKey, values: Values): StoredRecord | null {
    const slot = this.#slots.get(key);
    const files = filesOf(slot);
    const [winner] = files;
    if (files.length > 1) this.#contested.add(key);
    else this.#contested.delete(key);
    if (slot === undefined || winner === undefined) {
      this.#slots.delete(key);
      return null;
    }
    const known = values.get(winner.path);
    const claim = known === undefined ? winner.claims.find((each) => each.key === key) : known.get(key);
    if (claim instanceof StoredRecord) slot.record = claim;
    return slot.record;
  }
}

/** Objects that a generation may have changed. */
type Touched = ShardedMap<ObjectKey, true>;
/** What the changed files claim, by path and key. */
type Values = Map<string, ShardedMap<ObjectKey, Claim>>;

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

function filesOf(slot: Slot | undefined): readonly FileClaims[] {
  if (slot === undefined) return [];
  return 'path' in slot.files ? [slot.files] : slot.files;
}

function duplicate(key: ObjectKey, first: FileClaims | undefined, other: FileClaims): Fault {
  const { kind, id } = keyParts(key);
  const line = other.claims.find((claim) => claim.key === key)?.line ?? 1;
  const reason = `this id stands also in ${first?.path}, which comes first and counts`;
  return { file: other.path, line, path: `${sectionOf(kind)}.${visibleText(id)}`, reason, severity: 'error' };
}

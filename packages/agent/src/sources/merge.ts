import type { Fault } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { ModelChange, ObjectChange } from '../model/change.ts';
import { keyParts } from '../model/object-text.ts';
import type { ObjectKey, ObjectKind, Origin } from '../model/objects.ts';
import { ShardedMap } from '../model/sharded-map.ts';
import { StoredRecord } from '../model/stored-record.ts';
import type { Breathe } from './breather.ts';
import { RecordChange } from './record-change.ts';
import type { Source, SourceState, SourceUpdate } from './source.ts';

/** A source as the merge knows it. */
export interface MergedSource {
  readonly name: string;
  readonly kind: Source['kind'];
  readonly state: SourceState;
  readonly since: number;
  readonly objects: number;
  readonly faults: readonly Fault[];
  readonly detail: string | null;
  readonly commit: string | null;
  /** When it last was current, in milliseconds since 1970; null: not since the start of the agent, nor known from before. */
  readonly lastGoodAt: number | null;
  /** Whether it has been current since the start of the agent. */
  readonly hasSpoken: boolean;
}

/** What a merge needs: the sources in the order of the configuration, earlier wins. */
export interface MergeOptions {
  readonly order: readonly Pick<Source, 'name' | 'kind'>[];
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * The one model that several sources make. For each object the configured order decides, never arrival. Losing the winner
 * uncovers the loser only if the winner's source is current. Pure but for the clock; an update costs O(update).
 */
export interface Merge {
  /** Takes one update; null if the model did not change by it. */
  apply(update: SourceUpdate): ModelChange | null;
  /** The same, letting others run in between. Updates must still come one after the other. */
  applyInSlices(update: SourceUpdate, breathe: Breathe): Promise<ModelChange | null>;
  /** Counts the changes of the model since the start of the agent. */
  readonly revision: number;
  sources(): readonly MergedSource[];
  source(name: string): MergedSource | null;
  /** Sources that have not been current since the start of the agent. */
  waitingFor(): readonly string[];
  hasSpoken(source: string): boolean;
  record(key: ObjectKey): StoredRecord | null;
  originOf(key: ObjectKey): Origin | null;
  /** The sources whose object of this key lost, in order. */
  conflicts(key: ObjectKey): readonly string[];
  /** Every object that lost against another source's, by key. */
  contested(): Iterable<ObjectKey>;
  /** The objects of the model, in no order. */
  records(kind?: ObjectKind): Iterable<StoredRecord>;
  /** What one source says, in no order, whether it wins or not. */
  recordsOf(source: string): Iterable<StoredRecord>;
  /** What one source says of one object, whether it wins or not. */
  saidBy(source: string, key: ObjectKey): StoredRecord | null;
  /** How many objects of each kind there are. */
  counts(): ReadonlyMap<ObjectKind, number>;
}

/** An empty model of these sources. Throws an assertion for an update of a source that is not in the order. */
export function createMerge(options: MergeOptions): Merge {
  return new OrderedMerge(options);
}

interface SourceEntry {
  readonly name: string;
  readonly kind: Source['kind'];
  state: SourceState;
  since: number;
  objects: number;
  faults: readonly Fault[];
  detail: string | null;
  commit: string | null;
  lastGoodAt: number | null;
  hasSpoken: boolean;
  /** Objects that it dropped while it was not current: they stand until it is. */
  readonly ghosts: Set<ObjectKey>;
}

/** What several sources say of one object, in their order. */
class Contest {
  readonly records: readonly StoredRecord[];
  constructor(records: readonly StoredRecord[]) {
    this.records = records;
  }
}

class OrderedMerge implements Merge {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #sources: ReadonlyMap<string, SourceEntry>;
  readonly #rank: ReadonlyMap<string, number>;
  readonly #objects = new Map<ObjectKind, ShardedMap<ObjectKey, StoredRecord | Contest>>();
  readonly #contested = new Set<ObjectKey>();
  #revision = 0;

  constructor({ order, clock }: MergeOptions) {
    this.#clock = clock;
    this.#rank = new Map(order.map(({ name }, index) => [name, index]));
    this.#sources = new Map(order.map(({ name, kind }) => [name, emptySource(name, kind, clock.now())]));
  }

  get revision(): number {
    return this.#revision;
  }

  apply(update: SourceUpdate): ModelChange | null {
    const work = this.#work(update);
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
  }

  async applyInSlices(update: SourceUpdate, breathe: Breathe): Promise<ModelChange | null> {
    const work = this.#work(update);
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      const pause = breathe();
      if (pause !== null) await pause;
    }
  }

  sources(): readonly MergedSource[] {
    return [...this.#sources.values()];
  }

  source(name: string): MergedSource | null {
    return this.#sources.get(name) ?? null;
  }

  waitingFor(): readonly string[] {
    return this.sources()
      .filter(({ hasSpoken }) => !hasSpoken)
      .map(({ name }) => name);
  }

  hasSpoken(source: string): boolean {
    return this.#sources.get(source)?.hasSpoken ?? false;
  }

  record(key: ObjectKey): StoredRecord | null {
    return winnerOf(this.#entry(key));
  }

  originOf(key: ObjectKey): Origin | null {
    return this.record(key)?.origin ?? null;
  }

  conflicts(key: ObjectKey): readonly string[] {
    const entry = this.#entry(key);
    return entry instanceof Contest ? entry.records.slice(1).map(({ place }) => place.source) : [];
  }

  contested(): Iterable<ObjectKey> {
    return this.#contested;
  }

  *records(kind?: ObjectKind): Iterable<StoredRecord> {
    for (const [of, objects] of this.#objects) {
      if (kind !== undefined && of !== kind) continue;
      for (const entry of objects.values()) {
        const record = winnerOf(entry);
        if (record !== null) yield record;
      }
    }
  }

  *recordsOf(source: string): Iterable<StoredRecord> {
    for (const objects of this.#objects.values()) {
      for (const entry of objects.values()) {
        for (const record of recordsIn(entry)) if (record.place.source === source) yield record;
      }
    }
  }

  saidBy(source: string, key: ObjectKey): StoredRecord | null {
    return recordsIn(this.#entry(key)).find(({ place }) => place.source === source) ?? null;
  }

  counts(): ReadonlyMap<ObjectKind, number> {
    return new Map([...this.#objects].map(([kind, objects]) => [kind, objects.size]));
  }

  #entry(key: ObjectKey): StoredRecord | Contest | undefined {
    return this.#objects.get(keyParts(key).kind)?.get(key);
  }

  #store(key: ObjectKey, entry: StoredRecord | Contest | null): void {
    const { kind } = keyParts(key);
    const objects = this.#objects.get(kind) ?? new ShardedMap();
    this.#objects.set(kind, objects);
    if (entry === null) objects.delete(key);
    else objects.set(key, entry);
  }

  /** Yields after every object, so that the caller may let others run. */
  *#work(update: SourceUpdate): Generator<undefined, ModelChange | null> {
    const source = this.#sources.get(update.source);
    if (source === undefined) throw new Error(`an update of the source ${update.source}, which is not configured`);
    const changes: ObjectChange[] = [];
    const take = (key: ObjectKey, said: StoredRecord | null) => {
      const change = this.#take(source, key, said);
      if (change !== null) changes.push(change);
    };
    for (const record of update.upserts) {
      source.ghosts.delete(record.key);
      take(record.key, StoredRecord.of(record));
      yield;
    }
    const isCurrent = update.state === 'current';
    for (const key of update.deletes) {
      if (isCurrent) take(key, null);
      else if (this.saidBy(source.name, key) !== null) source.ghosts.add(key);
      yield;
    }
    if (isCurrent) {
      for (const key of source.ghosts) take(key, null);
      source.ghosts.clear();
    }
    this.#note(source, update);
    if (changes.length === 0) return null;
    this.#revision++;
    const { files, commit } = update;
    const cause = { source: update.source, files, ...(commit === undefined ? {} : { commit }), at: this.#clock.now() };
    return { revision: this.#revision, cause, changes };
  }

  #note(source: SourceEntry, update: SourceUpdate): void {
    source.state = update.state;
    source.since = update.since;
    source.faults = update.faults;
    source.detail = update.detail ?? null;
    source.commit = update.commit ?? null;
    if (update.state === 'current') {
      source.hasSpoken = true;
      source.lastGoodAt = this.#clock.now();
    } else if (update.state === 'stale') {
      source.lastGoodAt ??= update.since;
    }
  }

  /** Takes what one source says of one object now. */
  #take(source: SourceEntry, key: ObjectKey, said: StoredRecord | null): ObjectChange | null {
    const entry = this.#entry(key);
    const before = winnerOf(entry);
    const all = recordsIn(entry);
    const others = all.filter(({ place }) => place.source !== source.name);
    source.objects += (said === null ? 0 : 1) - (all.length - others.length);
    const records = said === null ? others : [...others, said];
    if (records.length > 1) records.sort((a, b) => this.#rankOf(a) - this.#rankOf(b));
    const [winner] = records;
    this.#store(key, winner === undefined ? null : records.length === 1 ? winner : new Contest(records));
    if (records.length > 1) this.#contested.add(key);
    else this.#contested.delete(key);
    const after = winner ?? null;
    if (before?.text === after?.text && before?.place.source === after?.place.source) return null;
    return new RecordChange(key, before, after);
  }

  #rankOf({ place }: StoredRecord): number {
    return this.#rank.get(place.source) ?? Number.POSITIVE_INFINITY;
  }
}

const emptySource = (name: string, kind: Source['kind'], now: number): SourceEntry => ({
  name,
  kind,
  state: 'missing',
  since: now,
  objects: 0,
  faults: [],
  detail: null,
  commit: null,
  lastGoodAt: null,
  hasSpoken: false,
  ghosts: new Set(),
});

const NONE: readonly StoredRecord[] = [];

function recordsIn(entry: StoredRecord | Contest | undefined): readonly StoredRecord[] {
  if (entry === undefined) return NONE;
  return entry instanceof Contest ? entry.records : [entry];
}

const winnerOf = (entry: StoredRecord | Contest | undefined): StoredRecord | null =>
  entry instanceof Contest ? (entry.records[0] ?? null) : (entry ?? null);

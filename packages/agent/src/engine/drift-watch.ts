import type { ListedSet, Member } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import { type ReadElements, readContent } from './content-reader.ts';
import { type DriftFound, recordDrift } from './drift-record.ts';
import type { EngineState, HeaderReading } from './engine-state.ts';
import { confirmed, type Difference, foreignDifference, isNone } from './foreign-difference.ts';
import { pruneHeld } from './held-rules.ts';
import { differencesOf, type HeaderReader, saysSomething } from './kernel-headers.ts';

/** `recheck`: what kept a set from being programmed may be over. */
type Suspicion = DriftFound['kind'] | 'recheck';

/** What looking at one set came to. `unclear`: it changed meanwhile by our own doing, or could not be read; ask again. */
export type CheckResult = 'same' | 'drift' | 'unclear';

/**
 * Finds what somebody else did to our sets. A header that does not fit is a suspicion; only what a second reading
 * confirms is drift. Reading goes on beside programming and never delays it.
 */
export class DriftWatch {
  readonly #state: EngineState;
  readonly #headers: HeaderReader;
  readonly #onFound: () => void;
  readonly #suspects = new Set<ManagedSet>();
  #work: Promise<void> | null = null;

  constructor(state: EngineState, headers: HeaderReader, onFound: () => void) {
    this.#state = state;
    this.#headers = headers;
    this.#onFound = onFound;
  }

  get isBusy(): boolean {
    return this.#work !== null;
  }

  /** Resolves when everything suspected so far is confirmed or dropped. */
  async idle(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  /** Looks through a header reading for sets that are not as we left them. O(sets). */
  look(reading: HeaderReading): void {
    if (!this.#state.isAdopted) return;
    for (const set of this.#state.registry.all()) {
      if (this.#suspicionOf(set, reading) !== null) this.#suspects.add(set);
    }
    if (this.#suspects.size > 0)
      this.#work ??= this.#confirm().finally(() => {
        this.#work = null;
      });
  }

  /** Reads one set's content now and says whether somebody else changed it; what is found is recorded and will be repaired. */
  async check(set: ManagedSet, isSuspected = false): Promise<CheckResult> {
    let first: Difference | null = null;
    if (!isSuspected) {
      const looked = await this.#compare(set, (_content, difference) => {
        first = difference;
        return 'drift';
      });
      if (looked !== 'drift') return looked;
    }
    return this.#compare(set, (content, second) =>
      this.#enter(set, content, first === null ? second : confirmed(first, second)),
    );
  }

  #enter(set: ManagedSet, { missing, extra }: ReadElements, found: Difference): CheckResult {
    this.#state.stamp++;
    set.ledger.becomeKnown(missing, extra);
    pruneHeld(this.#state);
    // Also when somebody took back what he did: then nothing is left of the drift.
    this.#state.dirty.add(set);
    this.#onFound();
    if (isNone(found)) return 'same';
    recordDrift(this.#state, set, { kind: 'members', ...found });
    return 'drift';
  }

  async #confirm(): Promise<void> {
    const headers = await this.#headers.readFresh();
    const suspects = [...this.#suspects];
    this.#suspects.clear();
    if (headers === null) return;
    let isFound = false;
    for (const set of suspects) {
      const suspicion = this.#suspicionOf(set, headers);
      if (suspicion === null) continue;
      if (suspicion === 'members') {
        await this.check(set, true);
        continue;
      }
      if (suspicion !== 'recheck') {
        this.#state.ports.executor.recycle(`${set.name} was ${suspicion} by somebody else`);
        recordDrift(this.#state, set, { kind: suspicion, missing: new Set(), extra: new Set() });
      }
      this.#state.toRead.add(set);
      isFound = true;
    }
    if (isFound) this.#onFound();
  }

  #suspicionOf(set: ManagedSet, reading: HeaderReading): Suspicion | null {
    const { life, ledger } = set;
    if (life.phase === 'waiting' || set.collidesWith !== null || this.#state.toRead.has(set)) return null;
    if (!saysSomething(set, reading) || reading.unreadable.has(set.name)) return null;
    const listed = reading.byName.get(set.name);
    if (ledger.content.kind === 'known') return suspicionOfKnown(set, listed);
    if (ledger.content.kind === 'absent') return listed === undefined ? null : 'created';
    if (set.conflict === null) return null;
    return listed === undefined || listed.references === 0 || differencesOf(set, listed).length === 0
      ? 'recheck'
      : null;
  }

  /** Reads a set; what it came to where that is not what the ledger says is `enter`'s to judge. */
  async #compare(
    set: ManagedSet,
    enter: (content: ReadElements, difference: Difference) => CheckResult,
  ): Promise<CheckResult> {
    if (set.ledger.content.kind !== 'known' || set.isInFlight) return 'unclear';
    let result: CheckResult = 'unclear';
    await readContent(this.#state, set, (_set, content) => {
      const known = set.ledger.content;
      if (content.kind !== 'content' || set.isInFlight || known.kind !== 'known') return;
      const difference = foreignDifference(known, content);
      const { touched } = content;
      const isHealed =
        !isPartOf(known.missing, content.missing, touched) || !isPartOf(known.extra, content.extra, touched);
      result = isNone(difference) && !isHealed ? 'same' : enter(content, difference);
    });
    return result;
  }
}

function isPartOf(part: ReadonlySet<Member>, whole: ReadonlySet<Member>, except: ReadonlySet<Member>): boolean {
  for (const element of part) if (!whole.has(element) && !except.has(element)) return false;
  return true;
}

function suspicionOfKnown(set: ManagedSet, listed: ListedSet | undefined): DriftFound['kind'] | null {
  if (listed === undefined) return 'destroyed';
  const differences = differencesOf(set, listed);
  if (differences.length === 0) return suspicionOfCount(set, listed);
  const fields = new Set(differences.map(({ field }) => field));
  if (fields.has('type')) return 'retyped';
  if (fields.has('family')) return 'family';
  return set.remake === null ? 'header' : suspicionOfCount(set, listed);
}

const suspicionOfCount = (set: ManagedSet, { entries }: ListedSet): 'members' | null =>
  entries !== null && entries !== set.ledger.programmed ? 'members' : null;

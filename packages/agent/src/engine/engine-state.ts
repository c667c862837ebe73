import { type GroupId, type ListedSet, type SetName, temporaryName } from '@setkeeper/ipset';
import { Unjudged } from '../guard/unjudged.ts';
import type { GroupDelta } from '../membership/membership.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { Refusal } from '../sets/parking.ts';
import { References } from '../sets/references.ts';
import type { SetKey } from '../sets/set-key.ts';
import { SetRegistry } from '../sets/set-registry.ts';
import { HeldChanges } from './held-changes.ts';
import type { EnginePorts, SourceStanding } from './ports.ts';

/** A header reading, with the count of runs when it began. */
export interface HeaderReading {
  readonly at: number;
  readonly tick: number;
  readonly byName: ReadonlyMap<SetName, ListedSet>;
  readonly unreadable: ReadonlySet<string>;
}

/** An operator's pin as it stands. `at`: milliseconds since 1970. */
export interface StandingPin {
  readonly group: GroupId;
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

/** What the parts of the engine share. Each field is changed by the part that its comment names. */
export class EngineState {
  readonly ports: EnginePorts;
  readonly registry: SetRegistry;
  readonly references = new References();
  readonly unjudged = new Unjudged();
  readonly held: HeldChanges;
  /** Groups of the model (model intake). */
  readonly listed = new Set<GroupId>();
  /** References documents, for this host or not: with any, only referenced groups are programmed (model intake). */
  readonly documents = new Set<string>();
  /** Objects by source, as far as changes told (model intake). */
  readonly objectsOf = new Map<string, number>();
  /** Sets that may have something to send, read or end (everybody; the loop empties it). */
  readonly dirty = new Set<ManagedSet>();
  /** Sets with a pause that ends by itself: parked, refused, in a repair pause (run, loop). */
  readonly paused = new Set<ManagedSet>();
  /** Sets whose content must be read before anything else (everybody; the read-back empties it). */
  readonly toRead = new Set<ManagedSet>();
  /** Temporary sets to destroy, and how the last attempt was refused (start, run). */
  readonly toSweep = new Map<SetName, Refusal | null>();
  /** Remembered room by group (reprogram). */
  readonly maxelemOf = new Map<GroupId, number>();
  readonly sources = new Map<string, SourceStanding>();
  /** Operators' pins, by referrer (model intake). */
  pins: ReadonlyMap<string, StandingPin> = new Map();
  modelRevision = 0;
  /** Sources have spoken, or had their time: programming may begin (gate). */
  isOpen = false;
  /** The kernel's sets were taken over (adoption). */
  isAdopted = false;
  /** Counts up at the start and the end of each run (run). */
  tick = 0;
  /** The number of the newest held change (held rules). */
  lastHeld = 0;
  /** How many drifts were found (drift record). */
  lastDrift = 0;
  headers: HeaderReading | null = null;
  /** The world failed (permission, no binary ...): nothing is sent before then. Milliseconds since 1970. */
  environment: { readonly retryAt: number; readonly attempts: number } | null = null;
  #temporaries = 0;

  /** Exact names that the configuration handed over, by the set they are (start). */
  readonly handedOver = new Map<SetKey, SetName>();
  /** Handed-over sets that an operator released once (hand-over). */
  readonly releasedHandOvers = new Set<SetName>();
  /** Told of every change of logical members, by those who keep them in order. */
  onMembersChanged: (key: SetKey, delta: GroupDelta) => void = () => {};
  /** Counts up with everything that a plan is made of. */
  stamp = 0;
  /** Removals are withheld because a source never spoke (adoption). */
  isWithholding = false;

  constructor(ports: EnginePorts) {
    const { membership, config, store } = ports;
    this.ports = ports;
    for (const { id, value } of store.facts.list<number>(MAXELEM_FACTS)) this.maxelemOf.set(id as GroupId, value);
    this.registry = new SetRegistry({
      membership,
      prefix: config.sets.prefix,
      families: config.sets.families,
      maxelem: config.sets.maxelem,
      maxelemOf: (group) => this.maxelemOf.get(group),
      handedOver: this.handedOver,
      ...(ports.digest === undefined ? {} : { digest: ports.digest }),
    });
    this.held = new HeldChanges(store.facts);
  }

  /** Names of sources that never had anything to say. */
  get missingSources(): readonly string[] {
    return [...this.sources.values()].filter(({ state }) => state === 'missing').map(({ name }) => name);
  }

  /** Whether only referenced groups are programmed. */
  get programsReferenced(): boolean {
    const { program } = this.ports.config.sets;
    return program === 'referenced' || (program === 'auto' && this.documents.size > 0);
  }

  temporary(): SetName {
    this.#temporaries++;
    return temporaryName(this.ports.config.sets.prefix, `${this.ports.unique}-${this.#temporaries.toString(36)}`);
  }

  isOnHold(group: GroupId): boolean {
    return this.ports.isOnHold?.(group) ?? false;
  }

  now(): number {
    return this.ports.clock.now();
  }
}

/** The noun of remembered rooms among the store's facts. */
export const MAXELEM_FACTS = 'maxelem';

/** What withholds removals while a source never spoke. */
export const SOURCE_MISSING = 'source-missing';

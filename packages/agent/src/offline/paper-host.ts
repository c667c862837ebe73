import type { ListedSet, Member, SetName } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { adopt } from '../engine/adoption.ts';
import { EngineState, type HeaderReading } from '../engine/engine-state.ts';
import { handedOverSets } from '../engine/hand-over.ts';
import { judgeRemovals } from '../engine/judge-removals.ts';
import { ModelIntake } from '../engine/model-intake.ts';
import { ReadBack } from '../engine/read-back.ts';
import { createMembership } from '../membership/create-membership.ts';
import type { ModelChange } from '../model/change.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { headerOf } from '../sets/section-for.ts';
import { selectWhole } from '../sets/select-change.ts';
import { paperPorts } from './paper-ports.ts';
import type { SavedKernel } from './saved-kernel.ts';

export interface PaperHostOptions {
  readonly config: AgentConfig;
  /** The name of the one source, a directory. */
  readonly source: string;
  /** Null: references documents count whatever hosts they are for. */
  readonly host: string | null;
  readonly kernel: SavedKernel;
  readonly clock: Clock;
}

/**
 * A host on paper: the agent's own model, guard and planning, with a kernel of which somebody only told. Who uses its
 * sets is not known, so what the model wants counts as used by a rule, and what it does not want as used by lists alone:
 * of the two possible truths the one that the guard would stop sooner.
 */
export class PaperHost {
  readonly state: EngineState;
  readonly #intake: ModelIntake;
  readonly #readBack: ReadBack;
  readonly #kernel: SavedKernel;

  constructor({ config, source, host, kernel, clock }: PaperHostOptions) {
    const membership = createMembership(host === null ? {} : { host });
    this.#kernel = kernel;
    this.state = new EngineState(paperPorts({ config, membership, reader: kernel, clock }));
    this.state.sources.set(source, { name: source, kind: 'directory', state: 'current' });
    this.state.isOpen = true;
    this.#readBack = new ReadBack(this.state);
    this.#intake = new ModelIntake(this.state, () => {});
    const headers = reading(clock.now(), new Map([...kernel.sets].map(([name, set]) => [name, kernel.listed(set, 0)])));
    for (const [key, name] of handedOverSets(this.state.ports, headers)) this.state.handedOver.set(key, name);
    this.#intake.resume();
  }

  /** A generation of the model, as far as the kernel is not asked. */
  async take(change: ModelChange | null): Promise<void> {
    if (change === null) return;
    this.#intake.take(change);
    await this.#intake.idle();
  }

  /** The kernel is what the file says: takes it over and judges the difference, as an agent does that starts. */
  async adoptKernel(): Promise<void> {
    const wanted = new Set<string>();
    for (const set of this.state.registry.all()) if (set.isWanted) wanted.add(set.name);
    const lists = this.#kernel.listReferences();
    const byName = new Map<SetName, ListedSet>();
    for (const [name, set] of this.#kernel.sets) {
      byName.set(name, this.#kernel.listed(set, (lists.get(name) ?? 0) + (wanted.has(name) ? 1 : 0)));
    }
    const headers = reading(this.state.now(), byName);
    this.#see(headers);
    await adopt(this.state, headers, this.#readBack);
  }

  /** The kernel is what the model says now: everything that is wanted was programmed. */
  program(): void {
    for (const set of this.state.registry.all()) {
      if (!set.isWanted || this.state.registry.owner(set.name) !== set) continue;
      set.ledger.becomeAbsent();
      const { desired, ledger, maxelem } = set;
      const isFull = maxelem !== null && desired.count > maxelem;
      const fitting = isFull ? new Set(selectWhole(ledger, desired, maxelem)) : null;
      const missing = fitting === null ? [] : [...desired.elements()].filter((element) => !fitting.has(element));
      ledger.becomeKnown(new Set(missing), new Set());
      set.life = { phase: 'live', since: this.state.now() };
    }
    this.#look();
    this.state.isAdopted = true;
    this.state.unjudged.take();
  }

  /** Judges what the generations since `program` take away, as an agent does that runs. */
  async judge(): Promise<void> {
    const headers = this.#look();
    await this.#readBack.read([...this.state.toRead], headers);
    judgeRemovals(this.state);
  }

  /** Reads the headers of what was programmed. */
  #look(): HeaderReading {
    const inKernel = [...this.state.registry.all()].filter(({ ledger }) => ledger.content.kind === 'known');
    const lists = new Map<string, number>();
    for (const list of inKernel) {
      if (list.family !== null) continue;
      for (const name of programmedElements(list)) lists.set(name, (lists.get(name) ?? 0) + 1);
    }
    const byName = new Map<SetName, ListedSet>();
    for (const set of inKernel) {
      byName.set(set.name, {
        header: headerOf(set),
        revision: null,
        memoryBytes: null,
        references: (lists.get(set.name) ?? 0) + (set.isWanted ? 1 : 0),
        entries: set.ledger.programmed,
        unknown: new Map(),
      });
    }
    const headers = reading(this.state.now(), byName);
    this.#see(headers);
    return headers;
  }

  #see(headers: HeaderReading): void {
    this.state.headers = headers;
    for (const set of this.state.registry.all()) {
      const listed = headers.byName.get(set.name);
      set.seen = listed === undefined ? null : { listed, at: headers.at };
    }
  }
}

function* programmedElements({ desired, ledger }: ManagedSet): Iterable<Member> {
  const { content } = ledger;
  if (content.kind !== 'known') return;
  for (const element of desired.elements()) if (!content.missing.has(element)) yield element;
  yield* content.extra;
}

const reading = (at: number, byName: ReadonlyMap<SetName, ListedSet>): HeaderReading => ({
  at,
  tick: 0,
  byName,
  unreadable: new Set(),
});

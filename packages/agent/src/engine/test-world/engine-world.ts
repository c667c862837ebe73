import type { AgentEvent, Run } from '@setkeeper/api';
import { type GroupId, kernelName, type Member, parseGroupId, type SetName } from '@setkeeper/ipset';
import type { Clock } from '../../clock.ts';
import { AgentConfig } from '../../config/agent-config.ts';
import { createMembership } from '../../membership/create-membership.ts';
import type { Membership } from '../../membership/membership.ts';
import type { ModelChange, ObjectChange } from '../../model/change.ts';
import { type ModelObject, type ObjectKind, objectKey } from '../../model/objects.ts';
import { createProblemBoard } from '../../problems/create-problem-board.ts';
import { restoreLine } from '../../restore/restore-line.ts';
import { Engine } from '../engine.ts';
import { OperatorActs } from '../operator-acts.ts';
import type { EnginePorts, SourceStanding } from '../ports.ts';
import { MemoryStore } from './memory-store.ts';
import { SimpleKernel } from './simple-kernel.ts';

/** A clock that a test moves. */
export interface MovedClock extends Clock {
  advance(ms: number): void;
}

export interface WorldOptions {
  readonly config?: Parameters<typeof AgentConfig.parse>[0];
  readonly kernel?: SimpleKernel;
  readonly store?: MemoryStore;
  readonly ports?: Partial<EnginePorts>;
  /** Not started, and no source has spoken. */
  readonly isSilent?: boolean;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An engine with a simple kernel, a memory for a store and a clock that stands still, and words to talk to it. */
export class EngineWorld {
  readonly kernel: SimpleKernel;
  readonly store: MemoryStore;
  readonly clock: MovedClock;
  readonly membership: Membership;
  readonly engine: Engine;
  readonly acts: OperatorActs;
  readonly events: Omit<AgentEvent, 'id' | 'at'>[] = [];
  readonly problems: ReturnType<typeof createProblemBoard>;
  readonly bugs: unknown[] = [];
  #revision = 0;
  readonly #objects = new Map<string, ModelObject>();

  constructor(clock: MovedClock, options: WorldOptions = {}) {
    this.clock = clock;
    this.kernel = options.kernel ?? new SimpleKernel();
    this.store = options.store ?? new MemoryStore();
    this.membership = createMembership();
    const bus = { emit: (event: Omit<AgentEvent, 'id' | 'at'>) => void this.events.push(event) };
    this.problems = createProblemBoard(clock, bus);
    this.engine = new Engine({
      membership: this.membership,
      reader: this.kernel,
      executor: this.kernel,
      store: this.store.asStore(),
      events: bus,
      problems: this.problems,
      clock,
      config: AgentConfig.parse(options.config ?? {}),
      render: restoreLine,
      unique: `t${++worlds}`,
      turn,
      onBug: (error) => this.bugs.push(error),
      ...options.ports,
    });
    this.acts = new OperatorActs(this.engine);
    if (options.isSilent === true) return;
    this.sources({ files: 'current' });
    this.engine.start();
  }

  /** The states of all sources, as directories unless the name is `declared`. */
  sources(states: Readonly<Record<string, SourceStanding['state']>>): void {
    this.engine.sourcesChanged(
      Object.entries(states).map(([name, state]) => ({
        name,
        kind: name === 'declared' ? 'declared' : 'directory',
        state,
      })),
    );
  }

  /** One generation of a source. */
  change(changes: readonly (ModelObject | Gone)[], source = 'files'): void {
    const change: ModelChange = {
      revision: ++this.#revision,
      cause: { source, files: ['model.yaml'], at: this.clock.now() },
      changes: changes.map((each) => this.#objectChange(each, source)),
    };
    this.engine.modelChanged(change);
  }

  /** A generation, and until nothing is left to do. */
  async apply(...changes: readonly (ModelObject | Gone)[]): Promise<void> {
    this.change(changes);
    await this.settle();
  }

  /** Moves time on in small steps until nothing is left to do; throws if that takes more than a minute. */
  async settle(): Promise<void> {
    for (let step = 0; step < 3_000; step++) {
      await turn();
      if (this.engine.settled().settled) return;
      this.clock.advance(20);
    }
    throw new Error(`never settled: ${JSON.stringify(this.engine.settled())}`);
  }

  /** Moves time on, whatever happens. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      for (let turns = 0; turns < 5; turns++) await turn();
      this.clock.advance(stepMs);
    }
    for (let turns = 0; turns < 5; turns++) await turn();
  }

  /** What the kernel has of a group, sorted as text; undefined: no set. */
  inKernel(group: string, family: 'inet' | 'inet6' | null = 'inet'): readonly string[] | undefined {
    return this.kernel.members(this.name(group, family));
  }

  name(group: string, family: 'inet' | 'inet6' | null = 'inet'): SetName {
    return kernelName('sk-', groupId(group), family);
  }

  set(group: string, family: 'inet' | 'inet6' | null = 'inet') {
    const found = this.engine.state.registry.ofGroup(groupId(group)).find((set) => set.family === family);
    if (found === undefined) throw new Error(`no set of ${group}`);
    return found;
  }

  phase(group: string, family: 'inet' | 'inet6' | null = 'inet'): string {
    return this.set(group, family).life.phase;
  }

  get runs(): readonly Run[] {
    return [...this.store.runs.values()].map(({ run }) => run);
  }

  get codes(): readonly string[] {
    return this.problems.list().map(({ code }) => code);
  }

  /** Another agent on the same kernel and store, as after a SIGKILL. */
  async restart(clock: MovedClock, options: WorldOptions = {}): Promise<EngineWorld> {
    const next = new EngineWorld(clock, { ...options, kernel: this.kernel, store: this.store, isSilent: true });
    next.change([...this.#objects.values()]);
    next.sources({ files: 'current' });
    next.engine.start();
    return next;
  }

  #objectChange(each: ModelObject | Gone, source: string): ObjectChange {
    const key = objectKey('gone' in each ? each.gone : each.kind, each.id);
    const before = this.#objects.get(key) ?? null;
    const after = 'gone' in each ? null : each;
    if (after === null) this.#objects.delete(key);
    else this.#objects.set(key, after);
    return { key, before, after, origin: after === null ? null : { source } };
  }
}

let worlds = 0;

/** An object that is no more. */
export interface Gone {
  readonly gone: ObjectKind;
  readonly id: string;
}

export const gone = (kind: ObjectKind, id: string): Gone => ({ gone: kind, id });

export const profile = (id: string, ...tags: string[]): ModelObject => ({ kind: 'profile', id, tags });

export const endpoint = (
  id: string,
  profiles: readonly string[],
  ipv4: readonly string[],
  ipv6: readonly string[] = [],
): ModelObject => ({
  kind: 'endpoint',
  id,
  profiles,
  ipv4: ipv4 as Member[],
  ipv6: ipv6 as Member[],
  ports: new Map(),
  active: true,
});

export const network = (id: string, nets: readonly string[], except: readonly string[] = []): ModelObject => ({
  kind: 'network',
  id,
  nets: { inet: nets as Member[], inet6: [] },
  except: { inet: except.map((each) => `${each} nomatch` as Member), inet6: [] },
  files: [],
});

export const list = (id: string, ...members: string[]): ModelObject => ({
  kind: 'list',
  id,
  members: members.map(groupId),
});

export const references = (id: string, ...groups: string[]): ModelObject => ({
  kind: 'references',
  id,
  groups: groups.map(groupId),
  hosts: [],
});

/** `10.a.b.c` for a number. */
export const address = (n: number): string =>
  `10.${Math.floor(n / 65_536) % 256}.${Math.floor(n / 256) % 256}.${n % 256}`;

function groupId(text: string): GroupId {
  const parsed = parseGroupId(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.id;
}

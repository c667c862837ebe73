import {
  type FailureCode,
  headerDifferences,
  isNomatch,
  type ListedSet,
  type Member,
  memberKey,
  type Operation,
  type SaveHandlers,
  type SetHeader,
  type SetName,
} from '@setkeeper/ipset';
import type { KernelReader, ReadFault, Reading } from '../../kernel/kernel-reader.ts';
import type { Plan } from '../../plan/plan.ts';
import { operationsOf, PlanIndex } from '../../plan/plan-lines.ts';
import type { Exception, Execution, RestoreExecutor } from '../../restore/execution.ts';

interface SimpleSet {
  header: SetHeader;
  /** By key without `nomatch`. */
  readonly elements: Map<string, Member>;
  /** References by rules. */
  rules: number;
}

/** Why an operation is refused. */
export interface Refused {
  readonly code: FailureCode;
  readonly message: string;
}

/**
 * A kernel that is too simple to be wrong: a map of sets that applies operations as `-exist` does and tells what became of
 * each. It is the executor and the reader of engine tests; how the real ones fail is for the real ones to prove.
 */
export class SimpleKernel implements KernelReader, RestoreExecutor {
  readonly sets = new Map<SetName, SimpleSet>();
  /** Every script that was executed. */
  readonly scripts: string[][] = [];
  /** Refuses operations; null: as a kernel would. */
  refuse: (operation: Operation) => Refused | null = () => null;
  /** Ends the next runs after so many lines, as a killed child does. */
  failAfterLines: number | null = null;
  environment: NonNullable<Execution['environment']> | null = null;
  readFault: ReadFault | null = null;
  /** Called at the start of each reading and run: a test changes the world in the middle. */
  onStep: (what: 'execute' | 'headers' | 'members' | 'everything') => void | Promise<void> = () => {};
  #time = 0;

  create(
    name: string,
    header: Omit<Partial<SetHeader>, 'name'> & { readonly type: string },
    members: readonly string[] = [],
  ): void {
    this.sets.set(name as SetName, {
      header: { ...PLAIN, ...header, name: name as SetName },
      elements: new Map(members.map((member) => [memberKey(member as Member), member as Member])),
      rules: 0,
    });
  }

  /** The elements of a set, sorted as text; undefined: there is none. */
  members(name: SetName, visitor: SaveHandlers): Promise<Reading<{ readonly members: number }>>;
  members(name: string): readonly string[] | undefined;
  members(name: string, visitor?: SaveHandlers): unknown {
    const set = this.sets.get(name as SetName);
    if (visitor === undefined) return set === undefined ? undefined : [...set.elements.values()].sort();
    return this.#read('members', () => {
      if (set === undefined) return null;
      this.#dump(set, visitor);
      return { members: set.elements.size };
    });
  }

  use(name: string, rules = 1): void {
    const set = this.sets.get(name as SetName);
    if (set !== undefined) set.rules = rules;
  }

  references(name: string): number {
    let lists = 0;
    for (const { header, elements } of this.sets.values())
      if (header.type === 'list:set' && elements.has(name)) lists++;
    return lists + (this.sets.get(name as SetName)?.rules ?? 0);
  }

  headers(): Promise<Reading<readonly ListedSet[]>> {
    return this.#read('headers', () => [...this.sets.values()].map((set) => this.#listed(set)));
  }

  header(name: SetName): Promise<Reading<ListedSet>> {
    return this.#read('headers', () => {
      const set = this.sets.get(name);
      return set === undefined ? null : this.#listed(set);
    });
  }

  everything(visitor: SaveHandlers): Promise<Reading<{ readonly sets: number; readonly members: number }>> {
    return this.#read('everything', () => {
      for (const set of this.sets.values()) this.#dump(set, visitor);
      return { sets: this.sets.size, members: 0 };
    });
  }

  dumps(): Promise<[]> {
    return Promise.resolve([]);
  }

  async execute(plan: Plan): Promise<Execution> {
    await this.onStep('execute');
    const lines = [...operationsOf(plan)];
    this.scripts.push(lines.map(words));
    const exceptions: Exception[] = [];
    const { environment } = this;
    const index = new PlanIndex(plan);
    const skipped = new Map<number, number>();
    const end = environment === null ? (this.failAfterLines ?? lines.length) : 0;
    for (const [i, operation] of lines.entries()) {
      const line = i + 1;
      const section = index.at(line)?.sectionIndex ?? 0;
      const because = skipped.get(section);
      if (i >= end) exceptions.push({ line, outcome: 'not-run' });
      else if (because !== undefined) exceptions.push({ line, outcome: 'skipped', because });
      else {
        const refused = this.refuse(operation) ?? this.#apply(operation);
        if (refused === null) continue;
        exceptions.push({ line, outcome: 'rejected', ...refused, raw: refused.message });
        if (operation.op === 'create' || operation.op === 'swap' || operation.op === 'destroy')
          skipped.set(section, line);
      }
    }
    const cut = end < lines.length && environment === null;
    this.failAfterLines = null;
    const count = (outcome: Exception['outcome']): number =>
      exceptions.filter((each) => each.outcome === outcome).length;
    const killed = { code: 'killed', message: 'ipset was killed', raw: '' } as const;
    const unsure = cut ? plan.sections.map(({ set }) => set) : [];
    return {
      exceptions,
      counts: {
        applied: lines.length - exceptions.length,
        rejected: count('rejected'),
        skipped: count('skipped'),
        notRun: count('not-run'),
      },
      attempts: 1,
      ...(environment !== null ? { environment } : cut ? { environment: killed } : {}),
      unsure,
      leftTemporary: cut ? plan.sections.flatMap(({ temp }) => (temp === null ? [] : [temp])) : [],
    };
  }

  recycle(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  #apply(operation: Operation): Refused | null {
    switch (operation.op) {
      case 'create': {
        const known = this.sets.get(operation.set);
        if (known === undefined) this.create(operation.set, operation.header);
        else if (headerDifferences(operation.header, known.header).some(({ field }) => field !== 'family'))
          return EXISTS;
        return null;
      }
      case 'add':
        return this.#add(operation.set, operation.member);
      case 'del':
        this.sets.get(operation.set)?.elements.delete(memberKey(operation.member));
        return this.sets.has(operation.set) ? null : MISSING;
      case 'swap': {
        const from = this.sets.get(operation.from);
        const to = this.sets.get(operation.to);
        if (from === undefined || to === undefined) return MISSING;
        if (from.header.type !== to.header.type || from.header.family !== to.header.family) return MISMATCH;
        const { rules } = from;
        this.sets.set(operation.to, { ...from, header: { ...from.header, name: operation.to }, rules: to.rules });
        this.sets.set(operation.from, { ...to, header: { ...to.header, name: operation.from }, rules });
        return null;
      }
      case 'destroy':
        if (this.references(operation.set) > 0) return IN_USE;
        this.sets.delete(operation.set);
        return null;
    }
  }

  #add(name: SetName, member: Member): Refused | null {
    const set = this.sets.get(name);
    if (set === undefined) return MISSING;
    if (set.header.type === 'list:set' && !this.sets.has(member as string as SetName)) return LIST_MEMBER;
    const key = memberKey(member);
    if (!set.elements.has(key) && set.header.maxelem !== null && set.elements.size >= set.header.maxelem) return FULL;
    set.elements.set(key, member);
    return null;
  }

  #listed({ header, elements }: SimpleSet): ListedSet {
    return {
      header,
      revision: 4,
      memoryBytes: 100,
      references: this.references(header.name),
      entries: elements.size,
      unknown: new Map(),
    };
  }

  #dump({ header, elements }: SimpleSet, visitor: SaveHandlers): void {
    visitor.onSet(header);
    for (const member of elements.values()) {
      const options = isNomatch(member) ? { ...NO_OPTIONS, nomatch: true } : null;
      visitor.onMember(header.name, memberKey(member), options);
    }
  }

  async #read<T>(what: 'headers' | 'members' | 'everything', read: () => T | null): Promise<Reading<T>> {
    const at = ++this.#time;
    await this.onStep(what);
    if (this.readFault !== null) return { ok: false, fault: this.readFault, at };
    const value = read();
    if (value !== null) return { ok: true, value, at, warnings: [] };
    return {
      ok: false,
      fault: { code: 'set-missing', message: 'The set with the given name does not exist', raw: '' },
      at,
    };
  }
}

const words = (operation: Operation): string => {
  switch (operation.op) {
    case 'create':
      return `create ${operation.set}`;
    case 'swap':
      return `swap ${operation.from} ${operation.to}`;
    case 'destroy':
      return `destroy ${operation.set}`;
    default:
      return `${operation.op} ${operation.set} ${operation.member}`;
  }
};

const EXISTS: Refused = { code: 'set-exists', message: 'Set cannot be created: set with the same name already exists' };
const MISSING: Refused = { code: 'set-missing', message: 'The set with the given name does not exist' };
const MISMATCH: Refused = { code: 'type-mismatch', message: 'The sets cannot be swapped: their type does not match' };
const IN_USE: Refused = { code: 'set-in-use', message: 'Set cannot be destroyed: it is in use by a kernel component' };
const FULL: Refused = { code: 'full', message: 'Hash is full, cannot add more elements' };
const LIST_MEMBER: Refused = {
  code: 'list-member',
  message: 'Set to be added/deleted/tested as element does not exist',
};

const NO_OPTIONS = {
  nomatch: false,
  wildcard: false,
  timeout: null,
  packets: null,
  bytes: null,
  comment: null,
  skbmark: null,
  skbprio: null,
  skbqueue: null,
};

const PLAIN: Omit<SetHeader, 'name' | 'type'> = {
  family: null,
  maxelem: null,
  hashsize: null,
  timeout: null,
  counters: false,
  comment: false,
  skbinfo: false,
  forceadd: false,
  netmask: null,
  bitmask: null,
  size: null,
  raw: new Map(),
};

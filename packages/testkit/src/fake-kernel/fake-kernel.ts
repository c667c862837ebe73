import { type ElementChange, expandElement } from './element-keys.ts';
import type { FakeSet, SetParameters } from './fake-set.ts';
import type { ElementRequest } from './ipset-element.ts';
import { kernelError, WORDS } from './ipset-error.ts';
import type { GivenExtensions } from './ipset-options.ts';

/** What goes wrong in a fake kernel, as a test sets it. */
export interface KernelFaults {
  /** Every change is refused, as without CAP_NET_ADMIN. */
  permission: boolean;
  /** So many sets, and no more, can be created. */
  setsMax: number;
  /** Types that this kernel does not offer. */
  readonly missingTypes: Set<string>;
}

/** Types that ipset 7.17 knows and the fake kernel does not offer. */
export const UNOFFERED_TYPES: readonly string[] = [
  'hash:mac',
  'hash:ip,mac',
  'hash:ip,mark',
  'hash:net,net',
  'hash:net,port,net',
  'hash:ip,port,ip',
];

/**
 * The kernel's ipsets, as far as ipset's command line can tell: names, headers, elements, references, and its refusals
 * in its own words. No time passes in it: timeouts stay as given.
 */
export class FakeKernel {
  readonly faults: KernelFaults = { permission: false, setsMax: 65_472, missingTypes: new Set(UNOFFERED_TYPES) };
  readonly #sets = new Map<string, FakeSet>();
  readonly #held = new Map<string, number>();
  readonly #dumped = new Map<string, number>();
  #serial = 0x10;

  /** In the order of creation. */
  get sets(): ReadonlyMap<string, FakeSet> {
    return this.#sets;
  }

  /** Elements as `save` prints them, without extensions, sorted; null: no such set. */
  elements(name: string): readonly string[] | null {
    const set = this.#sets.get(name);
    return set === undefined
      ? null
      : [...set.elements].map(([element, { nomatch }]) => (nomatch ? `${element} nomatch` : element)).sort();
  }

  /** A rule (of iptables, say) begins to use the set. */
  hold(name: string): void {
    this.#held.set(name, (this.#held.get(name) ?? 0) + 1);
  }

  release(name: string): void {
    this.#held.set(name, Math.max(0, (this.#held.get(name) ?? 0) - 1));
  }

  /** Somebody's `save` of this set begins: swap, destroy and rename of it are busy until it ends. */
  beginDump(name: string): void {
    this.#dumped.set(name, (this.#dumped.get(name) ?? 0) + 1);
  }

  endDump(name: string): void {
    this.#dumped.set(name, Math.max(0, (this.#dumped.get(name) ?? 0) - 1));
  }

  get dumps(): readonly string[] {
    return [...this.#dumped].flatMap(([name, count]) => (count > 0 ? [name] : []));
  }

  /** `References:` of the header: rules, and lists that have it as a member. */
  references(name: string): number {
    let count = this.#held.get(name) ?? 0;
    for (const set of this.#sets.values()) if (set.type === 'list:set' && set.elements.has(name)) count++;
    return count;
  }

  create(name: string, type: string, parameters: SetParameters, isExist: boolean): void {
    this.#checkPermission();
    const existing = this.#sets.get(name);
    if (existing !== undefined) {
      if (isExist && existing.type === type && isSameSet(existing.parameters, parameters)) return;
      throw kernelError(WORDS.exists);
    }
    if (this.#sets.size >= this.faults.setsMax) throw kernelError(WORDS.setLimit);
    this.#sets.set(name, { name, type, parameters, elements: new Map(), serial: this.#serial++ });
  }

  destroy(name: string | null, isExist: boolean): void {
    this.#checkPermission();
    if (name === null) {
      for (const set of this.#sets.keys()) if (this.#isInUse(set)) throw kernelError(WORDS.inUse);
      this.#sets.clear();
      return;
    }
    if (!this.#sets.has(name)) {
      if (isExist) return;
      throw kernelError(WORDS.missing);
    }
    if (this.#isInUse(name)) throw kernelError(WORDS.inUse);
    this.#sets.delete(name);
  }

  flush(name: string | null): void {
    this.#checkPermission();
    if (name === null) for (const set of this.#sets.values()) set.elements.clear();
    else this.#find(name).elements.clear();
  }

  swap(from: string, to: string): void {
    this.#checkPermission();
    const one = this.#find(from);
    const other = this.#sets.get(to);
    if (other === undefined) throw kernelError(WORDS.swapMissing);
    if (one.type !== other.type || one.parameters.family !== other.parameters.family)
      throw kernelError(WORDS.typeMismatch);
    if (this.#isDumped(from) || this.#isDumped(to)) throw kernelError(WORDS.busy);
    this.#sets.set(from, { ...other, name: from });
    this.#sets.set(to, { ...one, name: to });
  }

  rename(from: string, to: string): void {
    this.#checkPermission();
    const set = this.#find(from);
    if (this.references(from) > 0) throw kernelError(WORDS.renameInUse);
    if (this.#isDumped(from)) throw kernelError(WORDS.busy);
    if (this.#sets.has(to)) throw kernelError(WORDS.renameExists);
    const all = [...this.#sets.values()].map((each) => (each === set ? { ...set, name: to } : each));
    this.#sets.clear();
    for (const each of all) this.#sets.set(each.name, each);
  }

  /** Adds what a request stands for; a range that fails in the middle keeps what it had added. */
  add(name: string, request: ElementRequest, given: GivenExtensions, isExist: boolean): void {
    this.#checkPermission();
    const set = this.#find(name);
    const changes = expandElement(set, request);
    this.#checkExtensions(set, given);
    for (const change of changes) this.#addOne(set, change, given, isExist);
  }

  del(name: string, request: ElementRequest, isExist: boolean): void {
    this.#checkPermission();
    const set = this.#find(name);
    for (const { key } of expandElement(set, request)) {
      if (set.type === 'list:set' && !this.#sets.has(key)) throw kernelError(WORDS.listMember);
      if (!set.elements.delete(key) && !isExist) throw kernelError(WORDS.absent);
    }
  }

  test(name: string, request: ElementRequest): boolean {
    const set = this.#find(name);
    return expandElement(set, request).every(({ key }) => set.elements.has(key));
  }

  /** A copy of the set; throws the kernel's word if it is missing. */
  header(name: string): FakeSet {
    return this.#find(name);
  }

  #addOne(set: FakeSet, { key }: ElementChange, given: GivenExtensions, isExist: boolean): void {
    const { parameters } = set;
    const existing = set.elements.get(key);
    if (set.type === 'list:set') this.#checkListMember(set, key, given);
    if (existing !== undefined && !isExist) throw kernelError(WORDS.duplicate);
    if (existing === undefined && parameters.maxelem !== null && set.elements.size >= parameters.maxelem) {
      throw kernelError(WORDS.full);
    }
    const extensions = {
      nomatch: given.nomatch,
      timeout: parameters.timeout === null ? null : (given.timeout ?? parameters.timeout),
      packets: parameters.counters ? (given.packets ?? existing?.packets ?? 0n) : null,
      bytes: parameters.counters ? (given.bytes ?? existing?.bytes ?? 0n) : null,
      comment: parameters.comment ? given.comment : null,
    };
    if (given.place === null || existing !== undefined) {
      set.elements.set(key, extensions);
      return;
    }
    const entries = [...set.elements];
    const [where, beside] = given.place;
    const at = entries.findIndex(([name]) => name === beside);
    entries.splice(where === 'before' ? at : at + 1, 0, [key, extensions]);
    set.elements.clear();
    for (const [name, each] of entries) set.elements.set(name, each);
  }

  #checkListMember(set: FakeSet, member: string, { place }: GivenExtensions): void {
    const found = this.#sets.get(member);
    if (found === undefined) throw kernelError(WORDS.listMember);
    if (found.type === 'list:set') throw kernelError(WORDS.nestedList);
    if (place !== null && (!this.#sets.has(place[1]) || !set.elements.has(place[1])))
      throw kernelError(WORDS.listReference);
  }

  #checkExtensions({ parameters }: FakeSet, given: GivenExtensions): void {
    if (given.timeout !== null && parameters.timeout === null) throw kernelError(WORDS.timeout);
    if ((given.packets !== null || given.bytes !== null) && !parameters.counters) throw kernelError(WORDS.counters);
    if (given.comment !== null && !parameters.comment) throw kernelError(WORDS.comment);
  }

  #find(name: string): FakeSet {
    const set = this.#sets.get(name);
    if (set === undefined) throw kernelError(WORDS.missing);
    return set;
  }

  #checkPermission(): void {
    if (this.faults.permission) throw kernelError(WORDS.permission);
  }

  #isDumped(name: string): boolean {
    return (this.#dumped.get(name) ?? 0) > 0;
  }

  #isInUse(name: string): boolean {
    return this.references(name) > 0 || this.#isDumped(name);
  }
}

/** What `create -exist` compares: neither the family nor the size of the table. */
const isSameSet = (a: SetParameters, b: SetParameters): boolean =>
  a.maxelem === b.maxelem &&
  a.timeout === b.timeout &&
  a.counters === b.counters &&
  a.comment === b.comment &&
  a.netmask === b.netmask &&
  a.size === b.size &&
  a.forceadd === b.forceadd;

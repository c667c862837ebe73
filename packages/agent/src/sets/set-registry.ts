import { type Family, type GroupId, kernelName, parseGroupId, type SetName, setTypeOf } from '@setkeeper/ipset';
import type { Membership } from '../membership/membership.ts';
import { ListElements } from './list-elements.ts';
import { ManagedSet } from './managed-set.ts';
import { NetworkElements } from './network-elements.ts';
import { PlainElements } from './plain-elements.ts';
import { type SetKey, setKey } from './set-key.ts';

/** What names and shapes the managed sets of a host. */
export interface RegistryOptions {
  readonly membership: Membership;
  readonly prefix: string;
  readonly families: readonly Family[];
  readonly maxelem: number;
  /** The remembered room of a group, or undefined. */
  readonly maxelemOf: (group: GroupId) => number | undefined;
  /** Exact names of foreign sets that the configuration handed over, by the set they are from now on. */
  readonly handedOver: ReadonlyMap<SetKey, SetName>;
  /** For tests that force two groups into one name. */
  readonly digest?: (utf8: Uint8Array) => Uint8Array;
}

/** The managed sets of a host, by group and by kernel name. Two groups never share a kernel name: the first to want it has it. */
export class SetRegistry {
  readonly #options: RegistryOptions;
  readonly #byKey = new Map<SetKey, ManagedSet>();
  readonly #byGroup = new Map<GroupId, readonly ManagedSet[]>();
  readonly #byName = new Map<SetName, ManagedSet>();
  /** Sets that want a name which another has, in the order in which they asked. */
  readonly #refused = new Map<SetName, Set<ManagedSet>>();
  #revision = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  /** Counts up when a set enters or leaves. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#byKey.size;
  }

  all(): Iterable<ManagedSet> {
    return this.#byKey.values();
  }

  get(key: SetKey): ManagedSet | undefined {
    return this.#byKey.get(key);
  }

  /** The sets of a group, IPv4 first; none if it has none. */
  ofGroup(group: GroupId): readonly ManagedSet[] {
    return this.#byGroup.get(group) ?? [];
  }

  /** The set that owns a kernel name. */
  owner(name: SetName): ManagedSet | undefined {
    return this.#byName.get(name);
  }

  /** The sets that asked for a kernel name and were refused, the first to ask first. O(answer). */
  refusedFor(name: SetName): readonly ManagedSet[] {
    return [...(this.#refused.get(name) ?? [])];
  }

  /** The sets of a group, made if they are not there. */
  enter(group: GroupId): readonly ManagedSet[] {
    const known = this.#byGroup.get(group);
    if (known !== undefined) return known;
    const parsed = parseGroupId(group);
    if (!parsed.ok) return [];
    const families = parsed.kind === 'list' ? [null] : this.#options.families;
    const sets = families.map((family) => this.#make(group, family, parsed.kind));
    this.#byGroup.set(group, sets);
    for (const set of sets) this.#byKey.set(set.key, set);
    this.#revision++;
    return sets;
  }

  /** Forgets a group's sets: nothing of them is in the kernel or wanted. */
  leave(group: GroupId): void {
    for (const set of this.ofGroup(group)) {
      this.#byKey.delete(set.key);
      this.unclaim(set);
    }
    if (this.#byGroup.delete(group)) this.#revision++;
  }

  /** The set takes its kernel name, unless another has it: then it learns which. */
  claim(set: ManagedSet): boolean {
    const owner = this.#byName.get(set.name);
    if (owner === undefined) this.#byName.set(set.name, set);
    set.collidesWith = owner === undefined || owner === set ? null : owner.group;
    if (set.collidesWith === null) this.#forgetRefusal(set);
    else this.#refused.set(set.name, (this.#refused.get(set.name) ?? new Set()).add(set));
    return set.collidesWith === null;
  }

  /** The set gives its kernel name back. */
  unclaim(set: ManagedSet): void {
    if (this.#byName.get(set.name) === set) this.#byName.delete(set.name);
    set.collidesWith = null;
    this.#forgetRefusal(set);
  }

  /** The kernel name of a group's set. */
  readonly nameOf = (group: GroupId, family: Family | null): SetName => {
    const { prefix, handedOver, digest } = this.#options;
    return (
      handedOver.get(setKey(group, family)) ??
      (digest === undefined ? kernelName(prefix, group, family) : kernelName(prefix, group, family, digest))
    );
  };

  #forgetRefusal(set: ManagedSet): void {
    const refused = this.#refused.get(set.name);
    if (refused?.delete(set) === true && refused.size === 0) this.#refused.delete(set.name);
  }

  #make(group: GroupId, family: Family | null, kind: ManagedSet['kind']): ManagedSet {
    const { membership, families, maxelem, maxelemOf, handedOver } = this.#options;
    const desired =
      family === null
        ? new ListElements(membership, group, families, this.nameOf)
        : kind === 'net'
          ? new NetworkElements(membership, group, family)
          : new PlainElements(membership, group, family);
    const key = setKey(group, family);
    return new ManagedSet({
      key,
      group,
      kind,
      family,
      name: this.nameOf(group, family),
      type: setTypeOf(group),
      isHandedOver: handedOver.has(key),
      desired,
      maxelem: family === null ? null : (maxelemOf(group) ?? maxelem),
    });
  }
}

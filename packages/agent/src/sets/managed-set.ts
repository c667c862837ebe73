import type { Family, GroupId, GroupKind, ListedSet, ManagedType, SetName } from '@setkeeper/ipset';
import type { DesiredElements } from './desired-elements.ts';
import { Ledger } from './ledger.ts';
import type { Refusal } from './parking.ts';
import type { SetKey } from './set-key.ts';

/** Where a set is in its life (DESIGN.md section 3). `waiting`: nothing of it is in the kernel by our doing. */
export type Life =
  | { readonly phase: 'waiting' }
  | { readonly phase: 'starting' }
  | { readonly phase: 'live'; readonly since: number }
  | { readonly phase: 'stopping'; readonly since: number };

/** What a header reading said of a set; `null` members: the version of ipset does not say. `at`: milliseconds since 1970. */
export interface SeenSet {
  readonly listed: ListedSet;
  readonly at: number;
}

/** How the last run that touched a set ended for it. */
export interface LastRun {
  readonly id: string;
  readonly result: 'running' | 'succeeded' | 'partly' | 'failed' | 'interrupted';
}

/** What somebody else did to a set, in kernel elements, until it is repaired. */
export interface Drift {
  readonly id: string;
  readonly since: number;
  readonly missing: ReadonlySet<string>;
  readonly extra: ReadonlySet<string>;
}

/** Why a set of ours in the kernel has to be made anew. `recreate`: it is of another type or family, and unused. */
export type Remake =
  | { readonly how: 'rewrite'; readonly cause: string }
  | { readonly how: 'recreate'; readonly cause: string };

/** One group in one family, with its kernel name. Its parts are changed by the engine alone. */
export class ManagedSet {
  readonly key: SetKey;
  readonly group: GroupId;
  readonly kind: GroupKind;
  readonly family: Family | null;
  readonly name: SetName;
  readonly type: ManagedType;
  /** A foreign set that the configuration handed over: written, never destroyed. */
  readonly isHandedOver: boolean;
  readonly desired: DesiredElements;
  readonly ledger: Ledger;
  life: Life = { phase: 'waiting' };
  /** Whether a named reference, or `program: all`, wants it in the kernel. */
  isWanted = false;
  /** Room for members; null for a list, which has no limit. */
  maxelem: number | null;
  /** The newest header; null: the kernel has no such set, or nothing was read yet. */
  seen: SeenSet | null = null;
  lastRun: LastRun | null = null;
  /** Milliseconds since 1970. */
  changedAt: number | null = null;
  /** Its content at start was taken over as it was. */
  isAdopted = false;
  /** Another group has the same kernel name, and was there first. */
  collidesWith: GroupId | null = null;
  /** The kernel's set has another type or family and is used: what differs, in words. */
  conflict: string | null = null;
  remake: Remake | null = null;
  /** The operation on the set as a whole that the kernel refused. */
  failure: Refusal | null = null;
  /** The held change that its destruction is part of, or the hand-over that nobody released yet. */
  heldBy: string | null = null;
  drift: Drift | null = null;
  /** A rule or list used it since the agent started. */
  wasUsed = false;
  /** It was used, and nothing uses it any more. */
  isNoLongerUsed = false;
  /** A run has it in hand. */
  isInFlight = false;
  /** The engine's count of runs when one last wrote it: a reading that began before says nothing of it. */
  writtenTick = 0;

  constructor(parts: {
    readonly key: SetKey;
    readonly group: GroupId;
    readonly kind: GroupKind;
    readonly family: Family | null;
    readonly name: SetName;
    readonly type: ManagedType;
    readonly isHandedOver: boolean;
    readonly desired: DesiredElements;
    readonly maxelem: number | null;
  }) {
    this.key = parts.key;
    this.group = parts.group;
    this.kind = parts.kind;
    this.family = parts.family;
    this.name = parts.name;
    this.type = parts.type;
    this.isHandedOver = parts.isHandedOver;
    this.desired = parts.desired;
    this.ledger = new Ledger(parts.desired);
    this.maxelem = parts.maxelem;
  }

  /** The kernel's `References:`; null where nobody could say. A set that is not there has none. */
  get kernelReferences(): number | null {
    if (this.seen !== null) return this.seen.listed.references;
    return this.ledger.content.kind === 'absent' ? 0 : null;
  }

  /** True only if the kernel said 0: what is not known counts as used. */
  get isUnused(): boolean {
    return this.kernelReferences === 0;
  }

  /** Whether anything of this set is in the kernel, as far as is known. */
  get isInKernel(): boolean {
    return this.ledger.content.kind === 'known' || this.seen !== null;
  }
}

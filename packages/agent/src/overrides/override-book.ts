import { ApiError, type Override } from '@setkeeper/api';
import { canonicalMember, type Family, type GroupId, type Member, parseIp, setTypeOf } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { OverrideEntry } from '../membership/membership.ts';
import type { FactRepository } from '../store/store.ts';
import { type Timed, TimedFacts } from '../timed/timed-facts.ts';

interface StoredOverride extends Timed {
  readonly kind: 'add' | 'exclude';
  readonly group: GroupId;
  readonly family: Family;
  readonly member: Member;
  readonly by: string;
  readonly reason: string;
}

export interface OverrideBookOptions {
  readonly facts: FactRepository;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly families: readonly Family[];
  /** A short id that was never used before. */
  readonly newId: () => string;
  /** Gives all overrides that now stand to the membership; resolves when they are part of it. */
  readonly apply: (overrides: readonly OverrideEntry[]) => Promise<void>;
  readonly onEnded: (ended: readonly Override[]) => void;
}

export interface NewOverride {
  readonly kind: 'add' | 'exclude';
  readonly group: GroupId;
  /** An address; a CIDR where the group's type holds networks; `ADDRESS,PROTOCOL:PORT` for a port group. */
  readonly address: string;
  readonly forSeconds: number;
  readonly by: string;
  readonly reason: string;
}

/** Operators' temporary exceptions: durable, each ends by itself, and beats every source while it stands. */
export class OverrideBook {
  readonly #options: OverrideBookOptions;
  readonly #overrides: TimedFacts<StoredOverride>;

  constructor(options: OverrideBookOptions) {
    this.#options = options;
    this.#overrides = new TimedFacts({
      facts: options.facts,
      clock: options.clock,
      noun: 'override',
      onEnded: (ended) => {
        void this.#changed();
        options.onEnded([...ended].map(([id, entry]) => row(id, entry)));
      },
    });
  }

  /** Puts what stands from before into the membership, and ends what has had its time. */
  async start(): Promise<void> {
    this.#overrides.start();
    if (this.#overrides.size > 0) await this.#changed();
  }

  stop(): void {
    this.#overrides.stop();
  }

  get count(): number {
    return this.#overrides.size;
  }

  list(): readonly Override[] {
    return this.#overrides.all().map(([id, entry]) => row(id, entry));
  }

  /** Resolves when the override is part of what is wanted. Throws ApiError where the address does not fit the group. */
  async add(wanted: NewOverride): Promise<Override> {
    const { kind, group, by, reason, forSeconds } = wanted;
    const { family, member } = this.#memberOf(group, wanted.address);
    const at = this.#options.clock.now();
    const entry: StoredOverride = { kind, group, family, member, by, reason, at, until: at + forSeconds * 1000 };
    const same = this.#overrides.all().find(([, other]) => other.group === group && other.member === member);
    if (same !== undefined) this.#overrides.remove(same[0]);
    const id = this.#options.newId();
    this.#overrides.put(id, entry);
    await this.#changed();
    return row(id, entry);
  }

  /** Resolves when it no longer counts. Throws ApiError where there is none. */
  async remove(id: string): Promise<void> {
    if (!this.#overrides.remove(id)) {
      throw new ApiError('not-found', `There is no override ${id}.`, {
        subject: id,
        remedy: '"setkeeper override list" lists them.',
      });
    }
    await this.#changed();
  }

  #memberOf(group: GroupId, address: string): { readonly family: Family; readonly member: Member } {
    const refuse = (reason: string): never => {
      throw new ApiError('bad-input', `${address} does not fit ${group}: ${reason}`, { subject: group });
    };
    const type = setTypeOf(group);
    if (type === 'list:set') return refuse('a list holds sets, not addresses; override one of its members.');
    const family = parseIp(address.split(/[/,]/u, 1)[0] ?? '')?.family;
    if (family === undefined) return refuse('it begins with no IPv4 or IPv6 address.');
    if (!this.#options.families.includes(family)) return refuse(`${family} is not among the configured families.`);
    const parsed = canonicalMember(type, family, address);
    if (!parsed.ok) return refuse(`${parsed.reason}${type === 'hash:ip,port' ? ' (ADDRESS,PROTOCOL:PORT)' : ''}`);
    return { family, member: parsed.member };
  }

  async #changed(): Promise<void> {
    const entries = this.#overrides
      .all()
      .map(([id, { kind, group, family, member }]) => ({ id, kind, group, family, member }));
    await this.#options.apply(entries);
    this.#options.events.emit({ type: 'overrides-changed' });
  }
}

const row = (id: string, { kind, group, member, by, reason, at, until }: StoredOverride): Override => ({
  id,
  kind,
  group,
  address: member,
  by,
  reason,
  at: new Date(at).toISOString(),
  until: new Date(until).toISOString(),
});

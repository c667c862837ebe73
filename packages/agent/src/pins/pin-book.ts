import { ApiError, type Pin } from '@setkeeper/api';
import type { GroupId } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { FactRepository } from '../store/store.ts';

interface StoredPin {
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface PinBookOptions {
  readonly facts: FactRepository;
  readonly clock: Clock;
  readonly events: EventBus;
  /** Gives all pins that now stand to the references; resolves when they count. */
  readonly apply: (pins: ReadonlyMap<string, StoredPin & { readonly group: GroupId }>) => Promise<void>;
}

/** The referrer that a pin is, among named references. */
export const pinReferrer = (group: GroupId): string => `pin/${group}`;

/** Operators' references: durable, one a group, with who and why. */
export class PinBook {
  readonly #options: PinBookOptions;
  readonly #pins = new Map<GroupId, StoredPin>();

  constructor(options: PinBookOptions) {
    this.#options = options;
    for (const { id, value } of options.facts.list<StoredPin>('pin')) this.#pins.set(id as GroupId, value);
  }

  /** Puts what stands from before into the references. */
  async start(): Promise<void> {
    if (this.#pins.size > 0) await this.#changed();
  }

  list(): readonly Pin[] {
    return [...this.#pins].map(([group, pin]) => row(group, pin));
  }

  /** Pins a group; one that is pinned already keeps its time and gets the new reason. Resolves when it counts. */
  async add(group: GroupId, by: string, reason: string): Promise<Pin> {
    const pin = { by, reason, at: this.#pins.get(group)?.at ?? this.#options.clock.now() };
    this.#options.facts.put('pin', group, pin);
    this.#pins.set(group, pin);
    await this.#changed();
    return row(group, pin);
  }

  /** Ends a pin and gives it back. Throws ApiError where there is none. */
  async remove(group: GroupId): Promise<Pin> {
    const pin = this.#pins.get(group);
    if (pin === undefined) {
      throw new ApiError('not-found', `${group} is not pinned.`, {
        subject: group,
        remedy: '"setkeeper references" shows who names a group; documents end by changing their source.',
      });
    }
    this.#options.facts.delete('pin', group);
    this.#pins.delete(group);
    await this.#changed();
    return row(group, pin);
  }

  async #changed(): Promise<void> {
    const pins = new Map([...this.#pins].map(([group, pin]) => [pinReferrer(group), { group, ...pin }]));
    await this.#options.apply(pins);
    this.#options.events.emit({ type: 'pins-changed' });
  }
}

const row = (group: GroupId, { by, reason, at }: StoredPin): Pin => ({
  group,
  referrer: pinReferrer(group),
  by,
  reason,
  at: new Date(at).toISOString(),
});

import type { Hold } from '@setkeeper/api';
import type { GroupId } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { FactRepository } from '../store/store.ts';
import { type Timed, TimedFacts } from '../timed/timed-facts.ts';

interface StoredHold extends Timed {
  /** Null: all groups. */
  readonly group: GroupId | null;
  readonly by: string;
  readonly reason: string;
}

export interface HoldBookOptions {
  readonly facts: FactRepository;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
  readonly events: EventBus;
  /** Holds began or ended: sets are looked at again. */
  readonly onChange: () => void;
  /** Holds ended by themselves; `what` are groups, or `all`. */
  readonly onEnded: (what: readonly string[]) => void;
}

/** The id, and the subject of the problem, of a hold on everything. */
const ALL = 'all';

/** Operators' stops of programming and repair, for a group or all. Durable; each ends by itself. */
export class HoldBook {
  readonly #options: HoldBookOptions;
  readonly #holds: TimedFacts<StoredHold>;

  constructor(options: HoldBookOptions) {
    this.#options = options;
    this.#holds = new TimedFacts({
      facts: options.facts,
      clock: options.clock,
      noun: 'hold',
      onEnded: (ended) => {
        this.#changed();
        options.onEnded([...ended.keys()]);
      },
    });
    this.#tell();
  }

  start(): void {
    this.#holds.start();
  }

  stop(): void {
    this.#holds.stop();
  }

  /** Whether programming and repair of a group are stopped. O(1). */
  isOnHold(group: GroupId): boolean {
    if (this.#holds.size === 0) return false;
    return this.isAllOnHold || this.#holds.get(group) !== undefined;
  }

  /** Whether a hold on everything stands. */
  get isAllOnHold(): boolean {
    return this.#holds.get(ALL) !== undefined;
  }

  get count(): number {
    return this.#holds.size;
  }

  list(): readonly Hold[] {
    return this.#holds.all().map(([id, { group, by, reason, at, until }]) => ({
      id,
      group,
      by,
      reason,
      at: new Date(at).toISOString(),
      until: new Date(until).toISOString(),
    }));
  }

  /** Stops each of the groups, or all where none is given; a hold that stood there is replaced. */
  add(
    groups: readonly GroupId[],
    hold: { readonly by: string; readonly reason: string; readonly forSeconds: number },
  ): void {
    const at = this.#options.clock.now();
    const entry = { by: hold.by, reason: hold.reason, at, until: at + hold.forSeconds * 1000 };
    if (groups.length === 0) this.#holds.put(ALL, { group: null, ...entry });
    for (const group of groups) this.#holds.put(group, { group, ...entry });
    this.#changed();
  }

  /** Ends the holds of these groups, or every hold where none is given. Gives back the groups that had none. */
  remove(groups: readonly GroupId[]): readonly GroupId[] {
    const ids = groups.length === 0 ? this.#holds.all().map(([id]) => id) : groups;
    const missing = new Set<string>();
    for (const id of ids) if (!this.#holds.remove(id)) missing.add(id);
    this.#changed();
    return groups.filter((group) => missing.has(group));
  }

  #changed(): void {
    this.#tell();
    this.#options.events.emit({ type: 'holds-changed' });
    this.#options.onChange();
  }

  #tell(): void {
    const standing = new Set<string>();
    for (const [id, { group, by, reason, until }] of this.#holds.all()) {
      standing.add(id);
      this.#options.problems.raise({
        code: 'on-hold',
        subject: id,
        message: `${by} stopped programming and repair of ${group ?? 'all sets'} until ${new Date(until).toISOString()}: ${reason}`,
        consequence: 'Changes of the model do not reach the kernel; it is read as before.',
        remedy: group === null ? 'End it with "setkeeper unhold".' : `End it with "setkeeper unhold ${group}".`,
      });
    }
    this.#options.problems.clearExcept('on-hold', standing);
  }
}

import type { Clock } from '../clock.ts';
import type { FactRepository } from '../store/store.ts';

/** An entry that ends by itself. Times: milliseconds since 1970. */
export interface Timed {
  readonly at: number;
  readonly until: number;
}

export interface TimedFactsOptions<T extends Timed> {
  readonly facts: FactRepository;
  readonly clock: Clock;
  /** Under which noun the entries lie in the store. */
  readonly noun: string;
  /** Called once for all entries that have ended, when they are gone from the store. */
  readonly onEnded: (ended: ReadonlyMap<string, T>) => void;
}

/** The clock is asked again at least so often: a wall clock that jumps must not keep an entry alive. */
const LOOK_MS = 60_000;

/** Durable entries with an end: they survive restarts and end by themselves, also while nobody was running. */
export class TimedFacts<T extends Timed> {
  readonly #options: TimedFactsOptions<T>;
  readonly #entries = new Map<string, T>();
  #cancel: (() => void) | null = null;
  #isStopped = false;

  constructor(options: TimedFactsOptions<T>) {
    this.#options = options;
    for (const { id, value } of options.facts.list<T>(options.noun)) this.#entries.set(id, value);
  }

  /** Ends what ended meanwhile and watches the rest. */
  start(): void {
    this.#look();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  get(id: string): T | undefined {
    return this.#entries.get(id);
  }

  /** Oldest first. */
  all(): readonly (readonly [id: string, entry: T])[] {
    return [...this.#entries].sort(([, a], [, b]) => a.at - b.at);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Adds or replaces an entry. Throws what the store throws: an entry that is not durable does not stand. */
  put(id: string, entry: T): void {
    this.#options.facts.put(this.#options.noun, id, entry);
    this.#entries.set(id, entry);
    this.#look();
  }

  /** False: there is no such entry. */
  remove(id: string): boolean {
    if (!this.#entries.has(id)) return false;
    this.#options.facts.delete(this.#options.noun, id);
    this.#entries.delete(id);
    this.#look();
    return true;
  }

  #look(): void {
    if (this.#isStopped) return;
    const { clock, onEnded } = this.#options;
    const now = clock.now();
    const ended = new Map([...this.#entries].filter(([, { until }]) => until <= now));
    for (const id of ended.keys()) {
      this.#options.facts.delete(this.#options.noun, id);
      this.#entries.delete(id);
    }
    if (ended.size > 0) onEnded(ended);
    this.#cancel?.();
    this.#cancel = null;
    const next = Math.min(...[...this.#entries.values()].map(({ until }) => until - now), LOOK_MS);
    if (this.#entries.size > 0) this.#cancel = clock.after(next, () => this.#look());
  }
}

import type { HeldChange } from '../guard/held-change.ts';

/** The part of the store's facts that held changes need. */
export interface HeldFacts {
  list<T>(noun: string): readonly { readonly id: string; readonly value: T }[];
  put(noun: string, id: string, value: unknown): void;
  delete(noun: string, id: string): void;
}

const NOUN = 'held';

/** The held and rejected changes, kept over restarts. What they hold is in the ledgers of their sets, under their id. */
export class HeldChanges {
  readonly #facts: HeldFacts;
  readonly #changes = new Map<string, HeldChange>();

  constructor(facts: HeldFacts) {
    this.#facts = facts;
    for (const { id, value } of facts.list<HeldChange>(NOUN)) this.#changes.set(id, value);
  }

  /** Oldest first. */
  all(): readonly HeldChange[] {
    return [...this.#changes.values()].sort((a, b) => a.at - b.at);
  }

  get(id: string): HeldChange | undefined {
    return this.#changes.get(id);
  }

  put(change: HeldChange): void {
    this.#changes.set(change.id, change);
    this.#facts.put(NOUN, change.id, change);
  }

  delete(id: string): void {
    if (this.#changes.delete(id)) this.#facts.delete(NOUN, id);
  }
}

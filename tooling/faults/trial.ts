import type { FaultHost, FaultHostOptions } from './host/fault-host.ts';
import type { FaultModel } from './load/fault-model.ts';

/** How much of each is tried: `./test` and `pnpm soak` differ in these alone. */
export interface Sizes {
  readonly kills: number;
  readonly malformed: number;
  readonly streams: number;
  readonly events: number;
}

/** A line of what was seen. */
export type Figure = readonly [what: string, seen: string];

export interface Seen {
  readonly figures: readonly Figure[];
  /** A table of its own. */
  readonly lines?: readonly string[];
}

export interface TrialParts {
  readonly host: FaultHost;
  readonly model: FaultModel;
  readonly sizes: Sizes;
  /** Numbers in [0, 1), the same for the same seed. */
  readonly random: () => number;
  readonly say: (line: string) => void;
}

/** One kind of fault. Throws what was wrong; gives what it saw. */
export interface Trial {
  readonly name: string;
  readonly title: string;
  /** How its host differs from the usual one. */
  readonly host?: Omit<FaultHostOptions, 'prepare'>;
  /** Endpoints of its model; 400 if it does not say. */
  readonly endpoints?: number;
  readonly run: (parts: TrialParts) => Promise<Seen>;
}

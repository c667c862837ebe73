import type { Anomaly } from './anomaly.ts';
import type { SetHeader } from './header.ts';
import type { MemberOptions } from './member-options.ts';
import type { SetName } from './set-name.ts';

/** What `ipset list` says of a set besides its members. */
export interface ListedSet {
  readonly header: SetHeader;
  readonly revision: number | null;
  /** `Size in memory`. */
  readonly memoryBytes: number | null;
  readonly references: number | null;
  /** `Number of entries`; null where the version does not print it. Counts expired list members too. */
  readonly entries: number | null;
  /** Keys that no known version prints. */
  readonly unknown: ReadonlyMap<string, string>;
}

export interface ListHandlers {
  readonly onSet: (set: ListedSet) => void;
  readonly onMember?: (set: SetName, element: string, options: MemberOptions | null) => void;
  readonly onAnomaly: (anomaly: Anomaly) => void;
  readonly onWarning?: (line: string) => void;
}

/** Streaming parser of `ipset list` and `ipset list -t` output. */
export class ListParser {
  constructor(_handlers: ListHandlers) {}

  push(_chunk: Uint8Array): void {
    throw new Error('not written yet');
  }

  end(): void {
    throw new Error('not written yet');
  }
}

export interface ListOutput {
  readonly sets: readonly ListedSet[];
  readonly warnings: readonly string[];
  readonly anomalies: readonly Anomaly[];
}

/** `ipset list -t` in one go; members, if any, are counted out. */
export function parseList(_output: Uint8Array): ListOutput {
  throw new Error('not written yet');
}

export interface NamesOutput {
  readonly names: readonly SetName[];
  readonly anomalies: readonly Anomaly[];
}

/** `ipset list -n`. */
export function parseNames(_output: Uint8Array): NamesOutput {
  throw new Error('not written yet');
}

import type { Anomaly } from './anomaly.ts';
import type { SetHeader } from './header.ts';
import type { MemberOptions } from './member-options.ts';
import type { SetName } from './set-name.ts';

export interface SaveHandlers {
  readonly onSet: (header: SetHeader) => void;
  readonly onMember: (set: SetName, element: string, options: MemberOptions | null) => void;
  readonly onAnomaly: (anomaly: Anomaly) => void;
  /** If given, plain IPv4 lines without options come here instead of to `onMember`, and no string is made: address as uint32. */
  readonly onIpv4?: (set: SetName, address: number, prefixLength: number) => void;
}

export interface SaveParserOptions {
  /** `dump` (default): output of `ipset save`; a member must follow its own set's create. `file`: hand-made restore files too. */
  readonly mode?: 'dump' | 'file';
}

/** Streaming parser of `ipset save` output. */
export class SaveParser {
  constructor(_handlers: SaveHandlers, _options: SaveParserOptions = {}) {}

  push(_chunk: Uint8Array): void {
    throw new Error('not written yet');
  }

  /** To be called once, after the last chunk. */
  end(): void {
    throw new Error('not written yet');
  }
}

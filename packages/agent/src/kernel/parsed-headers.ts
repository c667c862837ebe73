import { createHash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type Anomaly, type ListedSet, ListParser } from '@setkeeper/ipset';

/** What the text of `ipset list -t` says. */
export interface ParsedList {
  readonly sets: readonly ListedSet[];
  readonly anomalies: readonly Anomaly[];
  readonly warnings: readonly string[];
}

/**
 * Parses whole listings, and knows the last one by its digest: on a host where nothing changes, 10,000 headers every few
 * seconds cost a digest of their text, and whoever compares them finds the very same list. Parsing lets others run in between.
 */
export class ParsedHeaders {
  #digest = '';
  #last: ParsedList | null = null;

  async parse(chunks: readonly Uint8Array[]): Promise<ParsedList> {
    const hash = createHash('sha256');
    for (const chunk of chunks) hash.update(chunk);
    const digest = hash.digest('base64');
    if (this.#last !== null && digest === this.#digest) return this.#last;
    const listing = new Listing();
    for (const chunk of chunks) {
      listing.parser.push(chunk);
      await turn();
    }
    listing.parser.end();
    this.#digest = digest;
    this.#last = listing;
    return listing;
  }
}

/** Collects what a parser finds. */
export class Listing implements ParsedList {
  readonly sets: ListedSet[] = [];
  readonly anomalies: Anomaly[] = [];
  readonly warnings: string[] = [];
  readonly parser = new ListParser({
    onSet: (set) => this.sets.push(set),
    onAnomaly: (anomaly) => this.anomalies.push(anomaly),
    onWarning: (text) => this.warnings.push(text),
  });
}

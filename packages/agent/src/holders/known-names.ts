/**
 * The names of the sets that exist, to be found in the bytes of a tool's output (one char a byte). Tools print names
 * unquoted, and a name may hold spaces, quotes and bytes that are no UTF-8, so a name can only be told by knowing it.
 */
export class KnownNames {
  readonly #byBytes = new Map<string, string>();

  constructor(names: Iterable<string>) {
    for (const name of names) {
      this.#byBytes.set(Buffer.from(name, 'utf8').toString('latin1'), name);
      // A name that is no UTF-8 is kept as its bytes (decodeSetName).
      if (!this.#byBytes.has(name)) this.#byBytes.set(name, name);
    }
  }

  /** The longest name that stands at `start` and is followed by directions (` src`, ` dst,src`); undefined: none does. */
  at(latin1: string, start: number): { readonly name: string; readonly end: number } | undefined {
    const last = Math.min(latin1.length, start + NAME_BYTES_MAX);
    for (let end = last; end >= start; end -= 1) {
      if (latin1[end] !== ' ') continue;
      const name = this.#byBytes.get(latin1.slice(start, end));
      DIRECTIONS.lastIndex = end;
      if (name !== undefined && DIRECTIONS.test(latin1)) return { name, end };
    }
    return undefined;
  }
}

/** IPSET_MAXNAMELEN less the closing zero (linux/netfilter/ipset/ip_set.h). */
const NAME_BYTES_MAX = 31;
/** Up to six (IPSET_DIM_MAX), behind a name, as the save tools and tc print them. */
const DIRECTIONS = / (?:src|dst)(?:,(?:src|dst)){0,5}(?=[ )\n]|$)/uy;

/** What stands behind an element. `null`: the set has no such extension, or none was given. */
export interface Extensions {
  readonly nomatch: boolean;
  readonly timeout: number | null;
  readonly packets: bigint | null;
  readonly bytes: bigint | null;
  readonly comment: string | null;
}

/** The parameters of a `create`, with ipset's defaults filled in. */
export interface SetParameters {
  readonly family: 'inet' | 'inet6' | null;
  readonly hashsize: number | null;
  readonly maxelem: number | null;
  readonly netmask: number | null;
  readonly range: readonly [bigint, bigint] | null;
  readonly rangeText: string;
  readonly size: number | null;
  readonly timeout: number | null;
  readonly counters: boolean;
  readonly comment: boolean;
  readonly skbinfo: boolean;
  readonly forceadd: boolean;
}

/** A set in the fake kernel. A swap exchanges everything but the name and the references. */
export interface FakeSet {
  readonly name: string;
  readonly type: string;
  readonly parameters: SetParameters;
  /** By the element's text, in the order of arrival. */
  readonly elements: Map<string, Extensions>;
  /** A number of its own, printed as initval. */
  readonly serial: number;
}

/** The words behind `create NAME`, as `save` prints them. */
export function headerWords({ type, parameters: p, serial }: FakeSet): string {
  let words = type;
  if (type === 'list:set') words += ` size ${p.size ?? 8}`;
  else if (type.startsWith('bitmap:')) words += ` range ${p.rangeText}`;
  else {
    words += ` family ${p.family ?? 'inet'} hashsize ${p.hashsize ?? 1024} maxelem ${p.maxelem ?? 65536}`;
    if (p.netmask !== null) words += ` netmask ${p.netmask}`;
  }
  if (p.timeout !== null) words += ` timeout ${p.timeout}`;
  if (p.counters) words += ' counters';
  if (p.comment) words += ' comment';
  if (p.skbinfo) words += ' skbinfo';
  if (p.forceadd) words += ' forceadd';
  if (type.startsWith('hash:')) words += ` bucketsize 12 initval 0x${serial.toString(16).padStart(8, '0')}`;
  return words;
}

/** An element with its extensions, as `save` and `list` print it: nomatch stands between timeout and packets. */
export function elementWords(element: string, e: Extensions): string {
  let words = element;
  if (e.timeout !== null) words += ` timeout ${e.timeout}`;
  if (e.nomatch) words += ' nomatch';
  if (e.packets !== null) words += ` packets ${e.packets} bytes ${e.bytes ?? 0n}`;
  if (e.comment !== null) words += ` comment "${e.comment}"`;
  return words;
}

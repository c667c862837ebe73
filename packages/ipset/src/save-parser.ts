import { type Anomaly, type AnomalyKind, anomaly } from './anomaly.ts';
import type { SetHeader } from './header.ts';
import { parseSetHeader } from './header-words.ts';
import { LineSplitter } from './line-splitter.ts';
import { type MemberOptions, parseMemberWords } from './member-options.ts';
import { openComment } from './open-comment.ts';
import { decodeSetName, SET_NAME_BYTES_MAX, type SetName } from './set-name.ts';

/** Called while bytes are pushed; none of them keeps the parser waiting. */
export interface SaveHandlers {
  readonly onSet: (header: SetHeader) => void;
  /** `options` is null where nothing follows the element. The element is as printed: `memberFromKernel` makes it a member. */
  readonly onMember: (set: SetName, element: string, options: MemberOptions | null) => void;
  readonly onAnomaly: (anomaly: Anomaly) => void;
  /**
   * If given, plain IPv4 lines (`add NAME 10.0.0.0/8`, no options, of `hash:ip` and `hash:net`) come here instead of to
   * `onMember`, and no string is made for them: the address as an unsigned 32-bit number.
   */
  readonly onIpv4?: (set: SetName, address: number, prefixLength: number) => void;
}

export interface SaveParserOptions {
  /**
   * `dump` (default): output of `ipset save`, where a member stands behind its own set's create and has only options that
   * the set can have; what else there is, such as a name with a newline that looks like a member, is an anomaly.
   * `file`: restore files made by hand too, where members may stand anywhere behind their set's create.
   */
  readonly mode?: 'dump' | 'file';
}

/**
 * Streaming parser of `ipset save` output of every version and type (samples/): comments hold any bytes, newlines too;
 * names hold spaces and quotes, and are unquoted. Blank lines, `#` comments, indentation, CR LF and COMMIT are passed
 * over. A tail that was cut short is an anomaly, never content; output cut exactly at a line's end cannot be told from
 * whole output, so the exit status counts too. Memory does not grow with members.
 */
export class SaveParser {
  readonly #handlers: SaveHandlers;
  readonly #isDump: boolean;
  readonly #lines: LineSplitter;
  /** By name as latin1: names are compared as bytes. */
  readonly #sets = new Map<string, IntroducedSet>();
  #current: IntroducedSet | undefined;
  /** The last create could not be read, and was reported: in a dump what follows are its members, maybe a million. */
  #isLost = false;

  constructor(handlers: SaveHandlers, options: SaveParserOptions = {}) {
    this.#handlers = handlers;
    this.#isDump = options.mode !== 'file';
    this.#lines = new LineSplitter({
      onLine: (text, line) => this.#takeLine(text, line),
      onBroken: (kind, text, line) => this.#report(kind === 'truncated' ? kind : 'unreadable-line', text, line),
      openQuote: (text) => this.#openQuote(text),
      fast: (bytes, start) => this.#takePlainMember(bytes, start),
    });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** To be called once, after the last chunk. */
  end(): void {
    this.#lines.end();
  }

  #report(kind: AnomalyKind, text: string, line: number): void {
    this.#handlers.onAnomaly(anomaly(kind, line, text, this.#current?.header.name ?? null));
  }

  #takeLine(raw: string, line: number): void {
    const text = this.#isDump ? raw.trimStart() : raw.trim();
    if (text === '' || text.startsWith('#') || text === 'COMMIT') return;
    if (text.startsWith('create ')) this.#takeCreate(text, line);
    else if (text.startsWith('add ')) this.#takeAdd(text, line);
    else this.#report('unreadable-line', text, line);
  }

  #takeCreate(text: string, line: number): void {
    const parts = CREATE.exec(text);
    const [, name, type, words] = parts ?? [];
    const header = name === undefined || type === undefined ? undefined : readHeader(name, type, words ?? '');
    if (name === undefined || header === undefined || (this.#isDump && !isWhole(header))) {
      // What follows belongs to this set, and must not be taken for members of the one before.
      this.#current = undefined;
      this.#isLost = this.#isDump;
      this.#report('unreadable-line', text, line);
      return;
    }
    const isKnown = this.#sets.has(name);
    this.#isLost = false;
    this.#current = new IntroducedSet(name, header);
    this.#sets.set(name, this.#current);
    if (isKnown) this.#report('duplicate-set', text, line);
    this.#handlers.onSet(header);
  }

  #takeAdd(text: string, line: number): void {
    if (this.#isLost) return;
    const set = this.#setOfAdd(text);
    if (set === undefined) {
      this.#report('unknown-set', text, line);
      return;
    }
    const member = parseMemberWords(text.slice(set.add.length), set.header, {
      isStrict: this.#isDump,
      knownNames: this.#sets,
    });
    if (member === undefined) this.#report('unreadable-line', text, line);
    else this.#handlers.onMember(set.header.name, set.element(member.element), member.options);
  }

  #setOfAdd(text: string): IntroducedSet | undefined {
    if (this.#current !== undefined && text.startsWith(this.#current.add)) return this.#current;
    if (this.#isDump) return undefined;
    // The name may hold spaces: the longest set that fits, among the 31 bytes where a name can end.
    for (let end = 'add '.length + SET_NAME_BYTES_MAX; end >= 'add '.length; end--) {
      const set = text.charCodeAt(end) === SPACE ? this.#sets.get(text.slice('add '.length, end)) : undefined;
      if (set !== undefined) return set;
    }
    return undefined;
  }

  #openQuote(raw: string): number {
    const text = raw.trimStart();
    const set = text.startsWith('add ') ? this.#setOfAdd(text) : undefined;
    if (set === undefined) return -1;
    const open = openComment(text, set.add.length, set.header);
    return open < 0 ? -1 : open + raw.length - text.length;
  }

  /** `add NAME ELEMENT` of the current set and nothing more, which is nearly every line there is. */
  #takePlainMember(bytes: Buffer, start: number): number {
    const set = this.#current;
    if (set === undefined || set.isList) return -1;
    const add = set.addBytes;
    const elementStart = start + add.length;
    for (let i = 0; i < add.length; i++) {
      if (bytes[start + i] !== add[i]) return -1;
    }
    const { onIpv4 } = this.#handlers;
    if (onIpv4 !== undefined && set.isPlainIpv4) {
      const next = takeIpv4(bytes, elementStart, set.header.name, onIpv4);
      if (next >= 0) return next;
    }
    let end = elementStart;
    let byte = bytes[end];
    while (byte !== undefined && byte > SPACE && byte < DELETE) byte = bytes[++end];
    if (byte !== NEWLINE || end === elementStart) return -1;
    this.#handlers.onMember(set.header.name, bytes.toString('latin1', elementStart, end), null);
    return end + 1;
  }
}

/** A set whose create was read, with what the member lines behind it start with. */
class IntroducedSet {
  readonly header: SetHeader;
  readonly add: string;
  readonly addBytes: Uint8Array;
  readonly isList: boolean;
  readonly isPlainIpv4: boolean;

  constructor(name: string, header: SetHeader) {
    this.header = header;
    this.add = `add ${name} `;
    this.addBytes = Buffer.from(this.add, 'latin1');
    this.isList = header.type === 'list:set';
    this.isPlainIpv4 = header.family === 'inet' && (header.type === 'hash:ip' || header.type === 'hash:net');
  }

  /** An element as text: that of a list is a name, and decoded like one. */
  element(latin1: string): string {
    return this.isList || HIGH_BYTE.test(latin1) ? decodeSetName(latin1) : latin1;
  }
}

/** The type is the last word that can be one: a name may look like a type too, but no header word does. */
const CREATE = /^create (.*) ((?:hash|bitmap|list):[a-z,]+)(?: (.*))?$/s;
const HIGH_BYTE = /[\x80-\xff]/;
const SPACE = 32;
const DELETE = 127;
const NEWLINE = 10;
const DOT = 46;
const SLASH = 47;

function readHeader(name: string, type: string, words: string): SetHeader | undefined {
  if (name.length > SET_NAME_BYTES_MAX) return undefined;
  return parseSetHeader(decodeSetName(name), type, words);
}

/** True if the header has what every version prints for its type. */
function isWhole(header: SetHeader): boolean {
  if (header.type.startsWith('hash:')) return header.maxelem !== null;
  return header.type.startsWith('bitmap:') ? header.raw.has('range') : header.size !== null;
}

/** `a.b.c.d` or `a.b.c.d/n` up to a newline: delivers it and returns where the next line starts, or -1. */
function takeIpv4(
  bytes: Buffer,
  start: number,
  set: SetName,
  onIpv4: (set: SetName, address: number, prefixLength: number) => void,
): number {
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  let at = start;
  let byte = bytes[at] ?? 0;
  for (; (byte >= 48 && byte <= 57) || byte === DOT; byte = bytes[++at] ?? 0) {
    if (byte === DOT) {
      if (digits === 0) return -1;
      value = value * 256 + octet;
      octet = 0;
      digits = 0;
      dots++;
    } else {
      if (digits > 0 && octet === 0) return -1;
      octet = octet * 10 + byte - 48;
      if (octet > 255) return -1;
      digits++;
    }
  }
  if (dots !== 3 || digits === 0) return -1;
  const address = value * 256 + octet;
  let prefixLength = 32;
  if (byte === SLASH) {
    prefixLength = 0;
    const lengthStart = at + 1;
    for (byte = bytes[++at] ?? 0; byte >= 48 && byte <= 57; byte = bytes[++at] ?? 0) {
      prefixLength = prefixLength * 10 + byte - 48;
    }
    const isPadded = at - lengthStart > 1 && bytes[lengthStart] === 48;
    if (at === lengthStart || prefixLength > 32 || isPadded) return -1;
  }
  if (byte !== NEWLINE) return -1;
  onIpv4(set, address, prefixLength);
  return at + 1;
}

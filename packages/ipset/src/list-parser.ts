import { type Anomaly, type AnomalyKind, anomaly } from './anomaly.ts';
import { LineSplitter } from './line-splitter.ts';
import { type ListedSet, listedSet } from './listed-set.ts';
import { type MemberOptions, parseMemberWords } from './member-options.ts';
import { openComment } from './open-comment.ts';
import { decodeSetName, type SetName } from './set-name.ts';

export interface ListHandlers {
  /** Called when all lines of the set's head are read, before its members. */
  readonly onSet: (set: ListedSet) => void;
  readonly onMember?: (set: SetName, element: string, options: MemberOptions | null) => void;
  readonly onAnomaly: (anomaly: Anomaly) => void;
  /** A line before the first set, such as a protocol warning. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Streaming parser of `ipset list` and `ipset list -t` output of every version and type (samples/). Lines of a head are
 * keys and values, unknown ones are kept. A tail that was cut short, and a last head that lacks what the first one had,
 * are anomalies, never content.
 */
export class ListParser {
  readonly #handlers: ListHandlers;
  readonly #lines: LineSplitter;
  readonly #names = new Map<string, true>();
  #state: State = { at: 'between' };
  #keysOfFirst: readonly string[] | undefined;
  #line = 0;

  constructor(handlers: ListHandlers) {
    this.#handlers = handlers;
    this.#lines = new LineSplitter({
      onLine: (text, line) => this.#takeLine(text, line),
      onBroken: (kind, text, line) => this.#takeBroken(kind === 'truncated' ? kind : 'unreadable-line', text, line),
      openQuote: (text) => (this.#state.at === 'members' ? openComment(text, 0, this.#state.set.header) : -1),
    });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** To be called once, after the last chunk. */
  end(): void {
    this.#lines.end();
    if (this.#state.at === 'head') this.#endHead(this.#state.lines, { isLast: true, isAfterBlank: false });
    else if (this.#state.at === 'members') this.#endMembers(this.#state);
    this.#state = { at: 'between' };
  }

  #report(kind: AnomalyKind, text: string, line: number): void {
    const set = this.#state.at === 'members' ? this.#state.set.header.name : null;
    this.#handlers.onAnomaly(anomaly(kind, line, text, set));
  }

  #takeBroken(kind: AnomalyKind, text: string, line: number): void {
    this.#report(kind, text, line);
    // The head that the tail was cut from is not whole either, and this anomaly says so already.
    if (this.#state.at === 'head') this.#state = { at: 'between' };
  }

  #takeLine(text: string, line: number): void {
    this.#line = line;
    const state = this.#state;
    if (state.at === 'between') this.#takeBetween(text, line);
    else if (state.at === 'head') this.#takeHead(state.lines, text, line);
    else if (state.at === 'members') this.#takeMember(state, text, line);
    else this.#skip(state, text, line);
  }

  #takeBetween(text: string, line: number): void {
    if (text.startsWith(NAME)) {
      this.#state = { at: 'head', lines: new Map([['Name', text.slice(NAME.length)]]) };
    } else if (text.trim() !== '') {
      if (this.#names.size === 0) this.#handlers.onWarning?.(text);
      else this.#report('unreadable-line', text, line);
    }
  }

  #takeHead(lines: Map<string, string>, text: string, line: number): void {
    const colon = text.indexOf(':');
    if (text === '') {
      this.#endHead(lines, { isLast: false, isAfterBlank: true });
    } else if (text.trimEnd() === 'Members:') {
      const set = this.#endHead(lines, { isLast: false, isAfterBlank: false });
      if (set !== undefined) this.#state = { at: 'members', set, count: 0, isAfterBlank: false };
    } else if (colon <= 0 || lines.has(text.slice(0, colon)) || (lines.size === 1 && !text.startsWith('Type: '))) {
      // A name can hold a newline and what looks like more lines: then none of this head is to be believed.
      this.#report('unreadable-line', text, line);
      this.#state = { at: 'lost', isAfterBlank: false };
    } else {
      lines.set(text.slice(0, colon), text.slice(colon + 1).trim());
    }
  }

  /** Delivers the set of a head; undefined, with an anomaly, if it is not whole. */
  #endHead(
    lines: ReadonlyMap<string, string>,
    o: { readonly isLast: boolean; readonly isAfterBlank: boolean },
  ): ListedSet | undefined {
    this.#state = { at: 'between' };
    const set = listedSet(lines);
    const isCut = o.isLast && this.#keysOfFirst?.some((key) => !lines.has(key));
    if (set === undefined || isCut) {
      this.#report(o.isLast ? 'truncated' : 'unreadable-line', `${NAME}${lines.get('Name') ?? ''}`, this.#line);
      this.#state = { at: 'lost', isAfterBlank: o.isAfterBlank };
      return undefined;
    }
    this.#keysOfFirst ??= [...lines.keys()];
    const name = lines.get('Name') ?? '';
    if (this.#names.has(name)) this.#report('duplicate-set', `${NAME}${name}`, this.#line);
    this.#names.set(name, true);
    this.#handlers.onSet(set);
    return set;
  }

  /** Passes over the rest of a set that was reported, members and all. */
  #skip(state: LostState, text: string, line: number): void {
    if (!state.isAfterBlank || !text.startsWith(NAME)) {
      state.isAfterBlank = text === '';
      return;
    }
    this.#state = { at: 'between' };
    this.#takeBetween(text, line);
  }

  #takeMember(state: MembersState, text: string, line: number): void {
    const isList = state.set.header.type === 'list:set';
    if (state.isAfterBlank) {
      if (text.startsWith(NAME)) {
        this.#state = { at: 'between' };
        this.#takeBetween(text, line);
        return;
      }
      // Not the blank line between two sets: in a list, a member set with the empty name.
      state.isAfterBlank = false;
      if (isList) this.#deliver(state, '', line);
    }
    if (text === '') state.isAfterBlank = true;
    else this.#deliver(state, text, line);
  }

  #deliver(state: MembersState, text: string, line: number): void {
    const { header } = state.set;
    const member = parseMemberWords(text, header, { isStrict: true, knownNames: this.#names });
    if (member === undefined) {
      this.#report('unreadable-line', text, line);
      return;
    }
    state.count++;
    this.#handlers.onMember?.(header.name, decodeSetName(member.element), member.options);
  }

  #endMembers(state: MembersState): void {
    const hasEmptyName = state.isAfterBlank && state.set.header.type === 'list:set' && state.set.entries !== null;
    if (hasEmptyName && state.count < (state.set.entries ?? 0)) this.#deliver(state, '', this.#line);
  }
}

interface MembersState {
  readonly at: 'members';
  readonly set: ListedSet;
  count: number;
  isAfterBlank: boolean;
}

/** Behind a head that could not be read. */
interface LostState {
  readonly at: 'lost';
  isAfterBlank: boolean;
}

type State =
  | { readonly at: 'between' }
  | { readonly at: 'head'; readonly lines: Map<string, string> }
  | MembersState
  | LostState;

const NAME = 'Name: ';

export interface ListOutput {
  readonly sets: readonly ListedSet[];
  readonly warnings: readonly string[];
  readonly anomalies: readonly Anomaly[];
}

/** The sets of `ipset list -t` (or `list`, whose members are read and left out) in one go. */
export function parseList(output: Uint8Array): ListOutput {
  const sets: ListedSet[] = [];
  const warnings: string[] = [];
  const anomalies: Anomaly[] = [];
  const parser = new ListParser({
    onSet: (set) => sets.push(set),
    onAnomaly: (found) => anomalies.push(found),
    onWarning: (text) => warnings.push(text),
  });
  parser.push(output);
  parser.end();
  return { sets, warnings, anomalies };
}

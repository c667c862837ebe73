import type { DocumentEntry, DocumentNode, ReadDocuments, SyntaxFault } from './document-node.ts';
import { MODEL_LIMITS } from './limits.ts';

/**
 * Reads JSON documents (RFC 8259), one after the other in one text, into nodes with their places. Some thirty times
 * faster than the same text as YAML, and made for models that a program writes.
 */
export function readJson(text: string): ReadDocuments {
  const reader = new JsonReader(text);
  try {
    return { ok: true, documents: reader.documents() };
  } catch (error) {
    if (error instanceof JsonFault) return { ok: false, fault: error.fault };
    throw error;
  }
}

class JsonFault extends Error {
  readonly fault: SyntaxFault;
  constructor(at: number, reason: string) {
    super(reason);
    this.fault = { at, reason };
  }
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_MAP = 123;
const CLOSE_MAP = 125;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  documents(): readonly DocumentNode[] {
    const documents: DocumentNode[] = [];
    while (this.#peek() >= 0) {
      const document = this.#value(0);
      if (document.kind !== 'null') documents.push(document);
    }
    return documents;
  }

  /** The next character that is no white space, or -1 at the end; it is not consumed. */
  #peek(): number {
    const text = this.#text;
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code;
    }
    return -1;
  }

  #value(depth: number): DocumentNode {
    const code = this.#peek();
    const at = this.#at;
    if (depth > MODEL_LIMITS.depthMax) throw new JsonFault(at, `is nested deeper than ${MODEL_LIMITS.depthMax} levels`);
    if (code === OPEN_MAP) return { kind: 'map', at, entries: this.#entries(depth) };
    if (code === OPEN_LIST) return { kind: 'list', at, items: this.#items(depth) };
    if (code === QUOTE) return { kind: 'scalar', at, isPlain: false, text: this.#string() };
    LITERAL.lastIndex = at;
    const literal = LITERAL.exec(this.#text)?.[0];
    if (literal === undefined) throw new JsonFault(at, code < 0 ? 'the text ends inside a value' : 'is no JSON value');
    this.#at += literal.length;
    return literal === 'null' ? { kind: 'null', at } : { kind: 'scalar', at, isPlain: true, text: literal };
  }

  #entries(depth: number): readonly DocumentEntry[] {
    const entries: DocumentEntry[] = [];
    this.#at++;
    if (this.#endsWith(CLOSE_MAP)) return entries;
    for (;;) {
      if (this.#peek() !== QUOTE) throw new JsonFault(this.#at, 'expected a key in double quotes');
      const at = this.#at;
      const key = this.#string();
      if (this.#peek() !== COLON) throw new JsonFault(this.#at, 'expected a colon after the key');
      this.#at++;
      entries.push({ key, at, value: this.#value(depth + 1) });
      if (this.#endsWith(CLOSE_MAP)) return entries;
      this.#comma('}');
    }
  }

  #items(depth: number): readonly DocumentNode[] {
    const items: DocumentNode[] = [];
    this.#at++;
    if (this.#endsWith(CLOSE_LIST)) return items;
    for (;;) {
      items.push(this.#value(depth + 1));
      if (this.#endsWith(CLOSE_LIST)) return items;
      this.#comma(']');
    }
  }

  #endsWith(closing: number): boolean {
    if (this.#peek() !== closing) return false;
    this.#at++;
    return true;
  }

  #comma(closing: string): void {
    if (this.#peek() !== COMMA) throw new JsonFault(this.#at, `expected a comma or ${closing}`);
    this.#at++;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    let hasEscape = false;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return hasEscape ? this.#unescaped(start) : text.slice(start + 1, at);
      }
      if (code === BACKSLASH) {
        hasEscape = true;
        at++;
      } else if (code < 32) {
        throw new JsonFault(at, 'a control character stands in a string');
      }
    }
    throw new JsonFault(start, 'the text ends inside a string');
  }

  #unescaped(start: number): string {
    try {
      return String(JSON.parse(this.#text.slice(start, this.#at)));
    } catch {
      throw new JsonFault(start, 'holds an escape that JSON does not know');
    }
  }
}

/** What a parser does with lines, and how it tells where one ends. */
export interface LineHandlers {
  /** One whole line, as latin1 (one char a byte), without its newline or CR LF. */
  readonly onLine: (text: string, line: number) => void;
  /** A tail without newline, or a line too long to be one of ipset's. */
  readonly onBroken: (kind: 'truncated' | 'overlong', text: string, line: number) => void;
  /**
   * For a line that holds a double quote: the place behind the quote that is still open at the line's end, or -1. A
   * comment may hold newlines, so then the line goes on; but a quote can also be part of a set's name.
   */
  readonly openQuote: (text: string) => number;
  /**
   * Reads a line of a common form straight from the bytes: returns where the next line starts, or -1 if it is of another
   * form or not whole. It must not have done anything with the line in that case.
   */
  readonly fast?: (bytes: Buffer, start: number) => number;
}

/**
 * Cuts a stream of bytes into lines as ipset prints them: a quoted comment goes on over newlines. Memory: one chunk and
 * one line. Chunks may be reused by the caller after `push`.
 */
export class LineSplitter {
  readonly #handlers: LineHandlers;
  #carry: Buffer | undefined;
  #line = 1;
  #isSkipping = false;
  /** Where the next quote of the chunk is, found once and not anew for each line before it. */
  #nextQuote = -1;

  constructor(handlers: LineHandlers) {
    this.#handlers = handlers;
  }

  push(chunk: Uint8Array): void {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const bytes = this.#carry === undefined ? fresh : Buffer.concat([this.#carry, fresh]);
    const rest = this.#takeLines(bytes);
    if (bytes.length - rest > LINE_BYTES_MAX) {
      this.#breakOff(bytes, rest);
    } else {
      this.#carry = rest === bytes.length ? undefined : Buffer.from(bytes.subarray(rest));
    }
  }

  /** To be called once, after the last chunk: a tail without newline is broken, never content. */
  end(): void {
    const tail = this.#carry?.toString('latin1');
    this.#carry = undefined;
    if (tail !== undefined && !this.#isSkipping) this.#handlers.onBroken('truncated', tail, this.#line);
  }

  /** Hands out all whole lines; returns where the first one that is not whole starts. */
  #takeLines(bytes: Buffer): number {
    const { fast, onLine } = this.#handlers;
    let start = 0;
    this.#nextQuote = -1;
    while (start < bytes.length) {
      if (fast !== undefined && !this.#isSkipping) {
        const next = fast(bytes, start);
        if (next >= 0) {
          this.#line++;
          start = next;
          continue;
        }
      }
      const end = this.#lineEnd(bytes, start);
      if (end < 0) break;
      if (this.#isSkipping) this.#isSkipping = false;
      else onLine(bytes.toString('latin1', start, end > start && bytes[end - 1] === CR ? end - 1 : end), this.#line);
      this.#line += countNewlines(bytes, start, end) + 1;
      start = end + 1;
    }
    return start;
  }

  /** The newline that ends the line, or -1 if it is not there yet. */
  #lineEnd(bytes: Buffer, start: number): number {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0) return -1;
    if (this.#isSkipping) return newline;
    if (this.#nextQuote < start) {
      const quote = bytes.indexOf(QUOTE, start);
      this.#nextQuote = quote < 0 ? bytes.length : quote;
    }
    if (this.#nextQuote > newline) return newline;
    const open = this.#handlers.openQuote(bytes.toString('latin1', start, newline));
    if (open < 0) return newline;
    const close = bytes.indexOf(QUOTE, newline);
    const length = (close < 0 ? bytes.length : close) - (start + open);
    // A quote that no comment can close is part of something else: the line ends where it seems to.
    if (length > COMMENT_BYTES_MAX) return newline;
    return close < 0 ? -1 : bytes.indexOf(NEWLINE, close);
  }

  #breakOff(bytes: Buffer, start: number): void {
    if (!this.#isSkipping)
      this.#handlers.onBroken('overlong', bytes.toString('latin1', start, start + 1024), this.#line);
    this.#isSkipping = true;
    this.#carry = undefined;
  }
}

/** Far beyond the longest line that ipset prints: a name, an element, eight options, a comment. */
const LINE_BYTES_MAX = 64 * 1024;
/** The kernel's IPSET_MAX_COMMENT_SIZE is 255. */
const COMMENT_BYTES_MAX = 255;
const NEWLINE = 10;
const CR = 13;
const QUOTE = 34;

function countNewlines(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE, start); at >= 0 && at < end; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** One event of a `text/event-stream` body. */
export interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id?: string;
}

/**
 * Reads a `text/event-stream` body chunk by chunk and returns the events that each chunk completed (HTML standard,
 * section 9.2.6). Comments and `retry` are left out: this reader keeps its own back-off.
 */
export class SseParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | undefined;

  push(chunk: string): StreamEvent[] {
    const events: StreamEvent[] = [];
    const lines = (this.#rest + chunk).split(/\r?\n/u);
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = this.#line(line);
      if (event !== undefined) events.push(event);
    }
    return events;
  }

  #line(line: string): StreamEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    return undefined;
  }

  #dispatch(): StreamEvent | undefined {
    const isEmpty = this.#data.length === 0 && this.#event === '';
    const event = {
      event: this.#event === '' ? 'message' : this.#event,
      data: this.#data.join('\n'),
      ...(this.#id === undefined ? {} : { id: this.#id }),
    };
    this.#event = '';
    this.#data = [];
    this.#id = undefined;
    return isEmpty ? undefined : event;
  }
}

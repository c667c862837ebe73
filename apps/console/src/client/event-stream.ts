import type { AgentEvent } from '@setkeeper/api';
import { type ApiFault, faultOf, parseErrorBody } from './api-fault.ts';
import { backOffMs } from './back-off.ts';
import { SseParser } from './sse-parser.ts';

/** What the badge shows of the stream. */
export type StreamState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  | { readonly kind: 'reconnecting'; readonly retryAtMs: number; readonly fault: ApiFault }
  | { readonly kind: 'idle' }
  | { readonly kind: 'signed-out' };

/** What the stream needs of the world; tests give their own. */
export interface EventStreamPorts {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly nowMs: () => number;
  readonly random: () => number;
  /** Calls back after `ms`; returns how to cancel. */
  readonly after: (ms: number, then: () => void) => () => void;
  readonly onState: (state: StreamState) => void;
  readonly onEvent: (event: AgentEvent) => void;
}

/** The agent pings every 5 s; three missed pings mean that nobody is there any more. */
const silenceMsMax = 16_000;

/**
 * The tab's one event stream. It resumes after the last id seen, backs off when the connection is lost, stops for good
 * on 401, and rests while `idle`. It reads with fetch rather than EventSource, which hides the HTTP status (a 401
 * would look like a lost connection) and retries at a pace of its own.
 */
export class EventStream {
  readonly #ports: EventStreamPorts;
  #lastEventId: string | undefined;
  #attempt = 0;
  #abort: AbortController | undefined;
  #cancelRetry: (() => void) | undefined;
  #cancelSilence: (() => void) | undefined;

  constructor(ports: EventStreamPorts) {
    this.#ports = ports;
  }

  /** Connects now, whatever it was doing. */
  start(): void {
    this.#end();
    const abort = new AbortController();
    this.#abort = abort;
    if (this.#attempt === 0) this.#ports.onState({ kind: 'connecting' });
    void this.#read(abort.signal).then(
      () => this.#lost(abort, { code: 'agent-unreachable', message: 'The event stream ended.' }),
      (error: unknown) => this.#lost(abort, error instanceof Refused ? error.fault : faultOf(error)),
    );
  }

  /** Closes the stream until `start`; the last id is kept, so nothing is missed. */
  rest(): void {
    this.#end();
    this.#attempt = 0;
    this.#ports.onState({ kind: 'idle' });
  }

  async #read(signal: AbortSignal): Promise<void> {
    const input = this.#lastEventId === undefined ? {} : { lastEventId: this.#lastEventId };
    this.#listenForSilence();
    const response = await this.#ports.fetch(`${this.#ports.url}?input=${encodeURIComponent(JSON.stringify(input))}`, {
      headers: { accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal,
    });
    if (!response.ok || response.body === null) throw new Refused(await refusalOf(response));
    const parser = new SseParser();
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#listenForSilence();
      for (const event of parser.push(value)) {
        if (event.event === 'serialized-error') throw new Refused(refusalIn(event.data));
        if (event.event === 'return') return;
        this.#connected();
        if (event.event === 'message') this.#deliver(event.data, event.id);
      }
    }
  }

  #deliver(data: string, id: string | undefined): void {
    const event = JSON.parse(data) as AgentEvent;
    if (id !== undefined && id !== '') this.#lastEventId = id;
    this.#ports.onEvent(event);
  }

  #connected(): void {
    if (this.#attempt === -1) return;
    this.#attempt = -1;
    this.#ports.onState({ kind: 'live' });
  }

  #lost(abort: AbortController, fault: ApiFault): void {
    if (this.#abort !== abort) return;
    this.#end();
    if (fault.code === 'unauthenticated') {
      this.#ports.onState({ kind: 'signed-out' });
      return;
    }
    this.#attempt = Math.max(0, this.#attempt) + 1;
    const waitMs = backOffMs(this.#attempt, this.#ports.random());
    this.#ports.onState({ kind: 'reconnecting', retryAtMs: this.#ports.nowMs() + waitMs, fault });
    this.#cancelRetry = this.#ports.after(waitMs, () => this.start());
  }

  #listenForSilence(): void {
    this.#cancelSilence?.();
    const abort = this.#abort;
    this.#cancelSilence = this.#ports.after(silenceMsMax, () => {
      if (abort !== undefined)
        this.#lost(abort, { code: 'agent-unreachable', message: 'The event stream fell silent.' });
    });
  }

  #end(): void {
    this.#cancelRetry?.();
    this.#cancelSilence?.();
    const abort = this.#abort;
    this.#abort = undefined;
    abort?.abort();
  }
}

/** The server answered, and it was no. */
class Refused extends Error {
  readonly fault: ApiFault;

  constructor(fault: ApiFault) {
    super(fault.message);
    this.fault = fault;
  }
}

async function refusalOf(response: Response): Promise<ApiFault> {
  const text = await response.text().catch(() => '');
  if (response.status === 401) return { code: 'unauthenticated', message: 'This session has ended.' };
  return refusalIn(text);
}

function refusalIn(text: string): ApiFault {
  const unknown: ApiFault = { code: 'agent-unreachable', message: 'The event stream was refused.' };
  try {
    const body: unknown = JSON.parse(text);
    return parseErrorBody(body) ?? parseErrorBody(dataIn(body)) ?? unknown;
  } catch {
    return unknown;
  }
}

function dataIn(body: unknown): unknown {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : body;
  return typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
}

import type { AgentEvent } from '@setkeeper/api';
import { type Dispatcher, fetch } from 'undici';
import { bodyFailure } from './wire-failure.ts';

/** Where and how to open the one event stream. */
export interface EventStreamRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly lastEventId?: string;
  readonly signal: AbortSignal;
}

/**
 * The agent's events as they come. Ends when the agent ends the stream or the signal ends; throws Failure when the stream
 * is refused, and whatever the connection throws when it breaks.
 */
export async function* watchEvents(request: EventStreamRequest): AsyncGenerator<AgentEvent> {
  const { url, headers, dispatcher, lastEventId, signal } = request;
  const input = lastEventId === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify({ lastEventId }))}`;
  const response = await fetch(`${url}${input}`, {
    headers: { ...headers, accept: 'text/event-stream' },
    dispatcher,
    signal,
  });
  if (response.status !== 200 || response.body === null)
    throw bodyFailure(response.status, await response.text().catch(() => ''));
  try {
    for await (const message of serverSentMessages(response.body)) {
      if (message.event === 'return') return;
      if (message.event === 'serialized-error')
        throw bodyFailure(500, JSON.stringify({ error: JSON.parse(message.data) }));
      if (message.event === 'message' && message.data !== '') yield JSON.parse(message.data) as AgentEvent;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

interface ServerSentMessage {
  readonly event: string;
  readonly data: string;
}

/** Takes a text/event-stream apart (WHATWG HTML, section 9.2.6). Ids are inside the events, so `id:` is not kept. */
export async function* serverSentMessages(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentMessage> {
  const decoder = new TextDecoder();
  let rest = '';
  let event = 'message';
  let data: string[] = [];
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split(/\r\n|\n|\r(?!$)/u);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield { event, data: data.join('\n') };
        event = 'message';
        data = [];
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /u, '');
      if (field === 'event') event = value;
      if (field === 'data') data.push(value);
    }
  }
}

import type { AgentEvent } from '@setkeeper/api';
import { describe, expect, it } from 'vitest';
import { EventStream, type StreamState } from './event-stream.ts';

interface Timer {
  readonly ms: number;
  readonly then: () => void;
}

/** A stream on a server of the test's own: each connection is handed out to be written to, failed or ended. */
function world() {
  const states: StreamState[] = [];
  const events: AgentEvent[] = [];
  const addresses: string[] = [];
  const timers = new Set<Timer>();
  let answer: (url: string, signal: AbortSignal) => Promise<Response> = async () => new Response(null, { status: 500 });
  const stream = new EventStream({
    url: '/events',
    fetch: (url, init) => {
      addresses.push(decodeURIComponent(String(url)));
      return answer(String(url), init?.signal ?? new AbortController().signal);
    },
    nowMs: () => 1_000,
    random: () => 0.5,
    after: (ms, then) => {
      const timer = { ms, then };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onState: (state) => states.push(state),
    onEvent: (event) => events.push(event),
  });
  return {
    stream,
    states,
    events,
    addresses,
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    fire: (ms: number) => {
      for (const timer of [...timers]) {
        if (timer.ms !== ms) continue;
        timers.delete(timer);
        timer.then();
      }
    },
    waits: () => [...timers].map((timer) => timer.ms),
    settle: () => new Promise((resolve) => setTimeout(resolve, 0)),
  };
}

const body = (...parts: string[]) => new Response(parts.join(''), { status: 200 });
const event = (id: string) => `data: {"id":"${id}","type":"heartbeat","at":"x"}\nid: ${id}\n\n`;

describe('EventStream', () => {
  it('is live with the first word, and resumes after the last id it saw', async () => {
    const { stream, states, events, addresses, answerWith, fire, settle } = world();
    answerWith(async () => body('event: connected\ndata: {}\n\n', event('e-1'), event('e-2')));
    stream.start();
    await settle();
    expect(states.map((state) => state.kind)).toEqual(['connecting', 'live', 'reconnecting']);
    expect(events.map((one) => one.id)).toEqual(['e-1', 'e-2']);
    fire(375);
    await settle();
    expect(addresses).toEqual(['/events?input={}', '/events?input={"lastEventId":"e-2"}']);
  });

  it('backs off further each time it is refused, and begins anew once it was live', async () => {
    const { stream, answerWith, fire, waits, settle } = world();
    stream.start();
    await settle();
    expect(waits()).toEqual([375]);
    fire(375);
    await settle();
    expect(waits()).toEqual([750]);
    fire(750);
    await settle();
    expect(waits()).toEqual([1_500]);
    answerWith(async () => body(event('e-1')));
    fire(1_500);
    await settle();
    expect(waits()).toEqual([375]);
  });

  it('stops for good on 401', async () => {
    const { stream, states, waits, answerWith, settle } = world();
    answerWith(async () => new Response('{}', { status: 401 }));
    stream.start();
    await settle();
    expect(states.at(-1)).toEqual({ kind: 'signed-out' });
    expect(waits()).toEqual([]);
  });

  it("carries the server's own reason while it reconnects", async () => {
    const { stream, states, answerWith, settle } = world();
    answerWith(async () => new Response('{"code":"agent-unreachable","message":"nobody is there"}', { status: 502 }));
    stream.start();
    await settle();
    expect(states.at(-1)).toEqual({
      kind: 'reconnecting',
      retryAtMs: 1_375,
      fault: { code: 'agent-unreachable', message: 'nobody is there' },
    });
  });

  it('takes a silent connection for a lost one', async () => {
    const { stream, states, answerWith, fire, settle } = world();
    let isAborted = false;
    answerWith(
      async (_url, signal) =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(new TextEncoder().encode('event: connected\ndata: {}\n\n'));
              signal.addEventListener('abort', () => {
                isAborted = true;
              });
            },
          }),
        ),
    );
    stream.start();
    await settle();
    expect(states.at(-1)).toEqual({ kind: 'live' });
    fire(16_000);
    expect(states.at(-1)?.kind).toBe('reconnecting');
    expect(isAborted).toBe(true);
  });

  it('closes while it rests, and says so', async () => {
    const { stream, states, answerWith, waits, settle } = world();
    answerWith(async () => body(event('e-1')));
    stream.start();
    await settle();
    stream.rest();
    expect(states.at(-1)).toEqual({ kind: 'idle' });
    expect(waits()).toEqual([]);
  });
});

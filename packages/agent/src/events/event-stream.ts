import type { AgentEvent } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import { createCoalescer } from './coalescer.ts';
import type { EventBus } from './event-bus.ts';
import { createEventRing, type EventRing } from './event-ring.ts';

/** The agent's events, for any number of readers. Readers hold a place in one ring and no queue of their own, so a slow reader costs nothing. */
export interface EventStream extends EventBus {
  /** Changes at each start of the agent: numbers of another epoch mean nothing. */
  readonly epoch: string;
  /**
   * Events after `lastEventId`, then those that come, until `signal` ends. Begins with one `reset` (fetch everything)
   * without an id, or when that id is unknown or too old; a reader that falls behind the ring gets one, too.
   * While nothing happens a `heartbeat` comes every `heartbeatMs`; it carries the id of the newest event.
   */
  watch(lastEventId: string | undefined, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** Ends every reader. */
  close(): void;
}

/** Half of what a console allows before it says that it lost contact. */
export const heartbeatMs = 1_500;

export interface EventStreamParameters {
  readonly clock: Clock;
  readonly epoch: string;
  readonly ring?: EventRing;
}

export function createEventStream({ clock, epoch, ring = createEventRing(epoch) }: EventStreamParameters): EventStream {
  const closed = new AbortController();
  let waiting = new Set<() => void>();

  const wakeAll = (): void => {
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
  };
  const iso = (): string => new Date(clock.now()).toISOString();
  const coalescer = createCoalescer(clock, (said) => {
    ring.push({ ...said, at: iso() });
    wakeAll();
  });

  /** Resolves true when something happened, false when a heartbeat is due or the reader left. */
  const nextMove = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (moved: boolean): void => {
        cancel();
        waiting.delete(wake);
        signal.removeEventListener('abort', leave);
        resolve(moved);
      };
      const wake = (): void => settle(true);
      const leave = (): void => settle(false);
      const cancel = clock.after(heartbeatMs, leave);
      waiting.add(wake);
      signal.addEventListener('abort', leave, { once: true });
    });

  return {
    epoch,
    emit: (event) => coalescer.offer(event),
    async *watch(lastEventId, reader) {
      const signal = AbortSignal.any([reader, closed.signal]);
      const resumed = lastEventId === undefined ? null : ring.seqOf(lastEventId);
      let seen = resumed !== null && resumed <= ring.newest && resumed >= ring.oldest - 1 ? resumed : null;
      while (!signal.aborted) {
        if (seen === null || seen < ring.oldest - 1) {
          seen = ring.newest;
          yield { id: ring.idOf(seen), at: iso(), type: 'reset' };
          continue;
        }
        if (seen < ring.newest) {
          seen += 1;
          const event = ring.get(seen);
          if (event !== undefined) yield event;
          continue;
        }
        const moved = await nextMove(signal);
        if (!moved && !signal.aborted) yield { id: ring.idOf(seen), at: iso(), type: 'heartbeat' };
      }
    },
    close: () => {
      coalescer.flush();
      closed.abort();
      wakeAll();
    },
  };
}

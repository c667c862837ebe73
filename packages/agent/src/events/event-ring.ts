import type { AgentEvent } from '@setkeeper/api';

/** The newest events, numbered without gaps. Its size is bounded in events and in bytes; what falls out is gone. */
export interface EventRing {
  /** The number of the newest event; 0 before the first. */
  readonly newest: number;
  /** The number of the oldest event still here; `newest + 1` when there is none. */
  readonly oldest: number;
  push(event: Omit<AgentEvent, 'id'>): AgentEvent;
  get(seq: number): AgentEvent | undefined;
  idOf(seq: number): string;
  /** The number in an id of this epoch, or null for any other text. */
  seqOf(id: string): number | null;
}

/** CONTRACT section 6: 10,000 events or 16 MiB. */
const EVENTS_MAX = 10_000;
const BYTES_MAX = 16 * 1024 * 1024;

export function createEventRing(
  epoch: string,
  limits: { readonly eventsMax: number; readonly bytesMax: number } = { eventsMax: EVENTS_MAX, bytesMax: BYTES_MAX },
): EventRing {
  /** Slot `seq % eventsMax`. */
  const slots: ({ readonly event: AgentEvent; readonly bytes: number } | undefined)[] = [];
  let newest = 0;
  let oldest = 1;
  let bytes = 0;

  const slotOf = (seq: number): number => seq % limits.eventsMax;
  const dropOldest = (): void => {
    bytes -= slots[slotOf(oldest)]?.bytes ?? 0;
    slots[slotOf(oldest)] = undefined;
    oldest += 1;
  };
  const idOf = (seq: number): string => `${epoch}-${seq}`;

  return {
    get newest() {
      return newest;
    },
    get oldest() {
      return oldest;
    },
    push: (said) => {
      newest += 1;
      const event = { ...said, id: idOf(newest) };
      // Two bytes a character: what the text costs in memory, at most.
      const size = JSON.stringify(event).length * 2;
      while (newest - oldest >= limits.eventsMax) dropOldest();
      slots[slotOf(newest)] = { event, bytes: size };
      bytes += size;
      while (bytes > limits.bytesMax && oldest < newest) dropOldest();
      return event;
    },
    get: (seq) => (seq < oldest || seq > newest ? undefined : slots[slotOf(seq)]?.event),
    idOf,
    seqOf: (id) => {
      const found = /^([0-9a-z]+)-(\d{1,15})$/u.exec(id);
      return found !== null && found[1] === epoch ? Number(found[2]) : null;
    },
  };
}

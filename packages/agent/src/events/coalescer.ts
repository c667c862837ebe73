import type { AgentEvent, EventType } from '@setkeeper/api';
import type { Clock } from '../clock.ts';

export type SaidEvent = Omit<AgentEvent, 'id' | 'at'>;

/** Lets single events through at once and joins floods: a few events a second and type, whatever happens. */
export interface Coalescer {
  offer(event: SaidEvent): void;
  /** Lets out what was kept back. */
  flush(): void;
}

/** Groups named in one event; `more` counts the rest. */
const GROUPS_MAX = 100;
/** A joined event follows the one before it by at least this. */
const PACE_MS = 250;
/** How many events of a type may come at once before they are joined: those that name one thing each, and those that only say "fetch again". */
const BURST: Readonly<Partial<Record<EventType, number>>> = {
  'run-started': 20,
  'run-finished': 20,
  'problem-raised': 20,
  'problem-cleared': 20,
  'drift-found': 20,
  'drift-repaired': 20,
  'source-changed': 8,
  'held-changed': 8,
};
const BURST_OTHERWISE = 2;

interface Lane {
  tokens: number;
  at: number;
  kept: SaidEvent | null;
  cancel: () => void;
}

export function createCoalescer(clock: Clock, emit: (event: SaidEvent) => void): Coalescer {
  const lanes = new Map<string, Lane>();

  const letOut = (key: string, lane: Lane): void => {
    lane.cancel();
    const { kept } = lane;
    lane.kept = null;
    if (kept === null) lanes.delete(key);
    else {
      lane.at = clock.monotonic();
      emit(kept);
    }
  };

  const refill = (lane: Lane, burst: number): void => {
    const now = clock.monotonic();
    const earned = Math.floor((now - lane.at) / PACE_MS);
    if (earned <= 0) return;
    lane.tokens = Math.min(burst, lane.tokens + earned);
    lane.at = now;
  };

  return {
    offer: (said) => {
      const event = cut(said);
      // What a run did so far must not be told after its end.
      if (event.type === 'run-finished') {
        const key = `run-progress ${event.run ?? ''}`;
        const progress = lanes.get(key);
        if (progress !== undefined) letOut(key, progress);
        lanes.delete(key);
      }
      const key = event.type === 'run-progress' ? `run-progress ${event.run ?? ''}` : event.type;
      const burst = BURST[event.type] ?? BURST_OTHERWISE;
      const lane = lanes.get(key) ?? { tokens: burst, at: clock.monotonic(), kept: null, cancel: () => {} };
      lanes.set(key, lane);
      if (lane.kept !== null) {
        lane.kept = join(lane.kept, event);
        return;
      }
      refill(lane, burst);
      if (lane.tokens > 0) {
        lane.tokens -= 1;
        emit(event);
        return;
      }
      lane.kept = event;
      lane.cancel = clock.after(PACE_MS, () => letOut(key, lane));
    },
    flush: () => {
      for (const [key, lane] of lanes) letOut(key, lane);
    },
  };
}

/** Two events of one type as one. What differs between them is left out: the reader fetches. */
function join(one: SaidEvent, other: SaidEvent): SaidEvent {
  const run = one.run === other.run ? one.run : undefined;
  const subject = one.subject === other.subject ? one.subject : undefined;
  const groups = one.groups === undefined && other.groups === undefined ? undefined : union(one.groups, other.groups);
  const more = (one.more ?? 0) + (other.more ?? 0);
  return cut({
    type: other.type,
    ...(groups === undefined ? {} : { groups }),
    ...(more === 0 ? {} : { more }),
    ...(run === undefined ? {} : { run }),
    ...(subject === undefined ? {} : { subject }),
    ...(other.message === undefined ? {} : { message: other.message }),
    ...(other.progress === undefined ? {} : { progress: other.progress }),
  });
}

const union = (one: readonly string[] = [], other: readonly string[] = []): string[] => [
  ...new Set([...one, ...other]),
];

function cut(event: SaidEvent): SaidEvent {
  const { groups } = event;
  if (groups === undefined || groups.length <= GROUPS_MAX) return event;
  return { ...event, groups: groups.slice(0, GROUPS_MAX), more: (event.more ?? 0) + groups.length - GROUPS_MAX };
}

import type { AgentEvent } from '@setkeeper/api';
import type { ApiFault } from './api-fault.ts';
import type { StreamState } from './event-stream.ts';
import type { Noun } from './nouns.ts';
import { createStore } from './store.ts';

/** How far a running run is, as the stream told it. */
export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly rejected: number;
}

/** What this tab knows about its way to the agent. Times are this browser's clock, in milliseconds. */
export interface LiveState {
  readonly stream: StreamState;
  /** The operator stopped the lists; events are counted, not shown. */
  readonly isPaused: boolean;
  readonly missed: Readonly<Partial<Record<Noun, number>>>;
  /** When the status question that is still open was asked. */
  readonly askedAtMs: number | null;
  readonly failingSinceMs: number | null;
  readonly fault: ApiFault | null;
  readonly lastContactMs: number | null;
  /** The agent's clock minus this browser's. */
  readonly clockOffsetMs: number;
  readonly progress: ReadonlyMap<string, RunProgress>;
}

const initial: LiveState = {
  stream: { kind: 'connecting' },
  isPaused: false,
  missed: {},
  askedAtMs: null,
  failingSinceMs: null,
  fault: null,
  lastContactMs: null,
  clockOffsetMs: 0,
  progress: new Map(),
};

/** The tab's one live state. */
export const liveStore = createStore<LiveState>(initial);

/** Notes that a status question is on its way. */
export function noteAsked(nowMs: number): void {
  liveStore.set((now) => ({ ...now, askedAtMs: now.askedAtMs ?? nowMs }));
}

/** Notes that the agent answered: what was failing is over. `agentAt` corrects this browser's clock. */
export function noteAnswered(nowMs: number, askedMs: number, agentAt: string): void {
  const middleMs = (nowMs + askedMs) / 2;
  const agentMs = Date.parse(agentAt);
  const clockOffsetMs = Number.isFinite(agentMs) ? Math.round(agentMs - middleMs) : 0;
  liveStore.set((now) => ({
    ...now,
    askedAtMs: null,
    failingSinceMs: null,
    fault: null,
    lastContactMs: nowMs,
    clockOffsetMs: Math.abs(clockOffsetMs - now.clockOffsetMs) < 400 ? now.clockOffsetMs : clockOffsetMs,
  }));
}

/** Notes that a status question failed. */
export function noteFailed(nowMs: number, fault: ApiFault): void {
  liveStore.set((now) => ({ ...now, askedAtMs: null, failingSinceMs: now.failingSinceMs ?? nowMs, fault }));
}

/** Stops or resumes the lists; resuming forgets the counts. */
export function setPaused(isPaused: boolean): void {
  liveStore.set((now) => ({ ...now, isPaused, missed: {} }));
}

/** Counts an event that came while paused. */
export function noteMissed(nouns: readonly Noun[]): void {
  liveStore.set((now) => {
    const missed = { ...now.missed };
    for (const noun of nouns) missed[noun] = (missed[noun] ?? 0) + 1;
    return { ...now, missed };
  });
}

const progressRunsMax = 20;

/** Keeps the newest progress of the last runs, and forgets a run that ended. */
export function noteProgress(event: AgentEvent): void {
  const { run } = event;
  if (run === undefined) return;
  const { progress } = liveStore.get();
  if (event.type === 'run-finished' && !progress.has(run)) return;
  const next = new Map(progress);
  next.delete(run);
  if (event.type === 'run-progress' && event.progress !== undefined) next.set(run, event.progress);
  for (const oldest of next.keys()) {
    if (next.size <= progressRunsMax) break;
    next.delete(oldest);
  }
  liveStore.set((now) => ({ ...now, progress: next }));
}

import { release } from 'node:os';
import type { Problem, Run, Status } from '@setkeeper/api';
import type { AgentConfig } from '../config/agent-config.ts';
import type { Preflight } from '../kernel/preflight.ts';
import type { Merge } from '../sources/merge.ts';
import { sourceRow } from '../sources/source-rows.ts';
import type { SetTotals } from './set-totals.ts';
import { statusSentence } from './status-sentence.ts';

/** What a status is made of: the agent's parts, asked when somebody wants to know. Times are milliseconds since 1970. */
export interface StatusSources {
  readonly config: AgentConfig;
  readonly host: string;
  readonly version: string;
  readonly startedAt: number;
  readonly epoch: string;
  readonly now: () => number;
  readonly preflight: Preflight;
  readonly iptables: () => string | null;
  readonly totals: () => SetTotals;
  readonly merge: Merge;
  readonly problems: () => readonly Problem[];
  /** Changes that the guard stopped, and the removals in them. */
  readonly held: () => { readonly changes: number; readonly removes: number };
  readonly counts: () => {
    readonly holds: number;
    readonly overrides: number;
    readonly leftovers: number;
    readonly leaks: number;
  };
  readonly lastRun: () => Run | null;
  readonly isRunning: () => boolean;
  /** Whether programming has begun. */
  readonly isStarted: () => boolean;
  readonly headers: () => { readonly at: number; readonly sets: number } | null;
}

/** Problems of one answer; the counts tell of all. */
const PROBLEMS_MAX = 500;
/** CONSOLE.md: never green when the data is older than 15 s, or twice `headersSeconds` where that is more. */
const STALE_MS = 15_000;

/** Health on one page. O(sets + problems). */
export function agentStatus(from: StatusSources): Status {
  const { config, host, preflight, merge } = from;
  const now = from.now();
  const at = new Date(now).toISOString();
  const totals = from.totals();
  const problems = from.problems();
  const held = from.held();
  const counts = from.counts();
  const headers = from.headers();
  const isRunning = from.isRunning();
  const { headersSeconds } = config.resync;
  const sources = merge.sources();
  const verdict = statusSentence({
    host,
    now,
    mode: config.mode,
    kernelSets: headers?.sets ?? null,
    wanted: totals.wanted,
    wrong: totals.wrong,
    pending: totals.pendingOnly,
    waitingOnHold: totals.waitingOnHold,
    apply: config.sets.apply,
    isStarted: from.isStarted(),
    waitingFor: merge.waitingFor(),
    sources,
    held,
    readAt: headers?.at ?? null,
    staleMs: Math.max(STALE_MS, 2_000 * headersSeconds),
    problems,
  });
  return {
    ...verdict,
    host,
    version: from.version,
    mode: config.mode,
    startedAt: new Date(from.startedAt).toISOString(),
    at,
    epoch: from.epoch,
    prefix: config.sets.prefix,
    apply: config.sets.apply,
    headersSeconds,
    sourcesCurrent: sources.every(({ state }) => state === 'current'),
    sources: sources.map((source) => sourceRow(source, now)),
    sets: {
      total: totals.total,
      live: totals.live,
      dirty: totals.dirty,
      drifted: totals.drifted,
      failed: totals.failed,
      unknown: totals.unknown,
      unused: totals.unused,
      inSync: totals.inSync,
    },
    members: totals.members,
    held: held.changes,
    ...counts,
    pending: totals.pending,
    problems: problems.slice(0, PROBLEMS_MAX),
    lastRun: withoutNames(from.lastRun()),
    running: isRunning,
    kernel: {
      ipset: preflight.version,
      protocol: preflight.protocol,
      types: preflight.types.filter(({ support }) => support !== 'no').map(({ type }) => type),
      namespace: preflight.namespace.name,
      iptables: from.iptables(),
      release: release(),
    },
    readAt: headers === null ? null : new Date(headers.at).toISOString(),
    modelKinds: Object.fromEntries(merge.counts()),
  };
}

/** The names of a run's sets, thousands of them, are the run's own matter. */
function withoutNames(run: Run | null): Run | null {
  if (run === null) return null;
  const { setNames: _setNames, ...rest } = run;
  return rest;
}

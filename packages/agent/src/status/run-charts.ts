import type { Clock } from '../clock.ts';

/** Runs and latencies over time, a bucket at a time. `at` in seconds since 1970. */
export interface Charts {
  readonly at: number[];
  readonly runs: number[];
  readonly failed: number[];
  readonly latencyP50Ms: (number | null)[];
  readonly latencyP99Ms: (number | null)[];
}

export interface RunCharts {
  /** What the history has of the agents before this one, at start: minutes since 1970. */
  remember(minutes: readonly { readonly minute: number; readonly runs: number; readonly failed: number }[]): void;
  runEnded(isFailed: boolean): void;
  /** From a model change to the kernel. */
  latency(seconds: number): void;
  read(minutes: number): Charts;
}

const MINUTE_MS = 60_000;
/** A week in minutes: what can be asked for. Minutes in which nothing happened take nothing. */
export const MINUTES_MAX = 10_080;
const BUCKETS_MAX = 180;
/** Latencies kept a minute; of more, every second one, and so on. */
const LATENCIES_A_MINUTE_MAX = 256;

interface Minute {
  runs: number;
  failed: number;
  latencies: number[];
  seen: number;
}

/** In memory: runs since whenever the history goes back to, latencies since the start of the agent. */
export function createRunCharts(clock: Clock): RunCharts {
  const minutes = new Map<number, Minute>();

  const current = (): Minute => {
    const number = Math.floor(clock.now() / MINUTE_MS);
    const known = minutes.get(number);
    if (known !== undefined) return known;
    const minute = { runs: 0, failed: 0, latencies: [], seen: 0 };
    minutes.set(number, minute);
    for (const old of minutes.keys()) {
      if (old > number - MINUTES_MAX) break;
      minutes.delete(old);
    }
    return minute;
  };

  return {
    remember: (before) => {
      for (const { minute, runs, failed } of before) minutes.set(minute, { runs, failed, latencies: [], seen: 0 });
    },
    runEnded: (isFailed) => {
      const minute = current();
      minute.runs += 1;
      if (isFailed) minute.failed += 1;
    },
    latency: (seconds) => {
      const minute = current();
      minute.seen += 1;
      // Reservoir without chance: place k of the newest full round, so that early and late ones are kept alike.
      if (minute.latencies.length < LATENCIES_A_MINUTE_MAX) minute.latencies.push(seconds);
      else minute.latencies[minute.seen % LATENCIES_A_MINUTE_MAX] = seconds;
    },
    read: (asked) => {
      const minutesA = Math.max(1, Math.ceil(asked / BUCKETS_MAX));
      const end = Math.floor(clock.now() / MINUTE_MS / minutesA) + 1;
      const buckets = Math.ceil(asked / minutesA);
      const charts: Charts = { at: [], runs: [], failed: [], latencyP50Ms: [], latencyP99Ms: [] };
      for (let bucket = end - buckets; bucket < end; bucket += 1) {
        const of = Array.from({ length: minutesA }, (_, index) => minutes.get(bucket * minutesA + index));
        const latencies = of.flatMap((minute) => minute?.latencies ?? []).sort((one, other) => one - other);
        charts.at.push((bucket * minutesA * MINUTE_MS) / 1000);
        charts.runs.push(of.reduce((sum, minute) => sum + (minute?.runs ?? 0), 0));
        charts.failed.push(of.reduce((sum, minute) => sum + (minute?.failed ?? 0), 0));
        charts.latencyP50Ms.push(quantileMs(latencies, 0.5));
        charts.latencyP99Ms.push(quantileMs(latencies, 0.99));
      }
      return charts;
    },
  };
}

/** Of ascending seconds. */
function quantileMs(sorted: readonly number[], part: number): number | null {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return value === undefined ? null : Math.round(value * 1e6) / 1e3;
}

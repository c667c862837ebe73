import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Handlers, Run } from '@setkeeper/api';
import type { Logger } from 'pino';
import packageJson from '../package.json' with { type: 'json' };
import { createAuditTrail } from './audit/create-audit-trail.ts';
import { logAuditHead } from './audit/log-audit-head.ts';
import type { AgentConfig } from './config/agent-config.ts';
import { agentHandlers } from './daemon/agent-handlers.ts';
import { agentView } from './daemon/agent-view.ts';
import { openDoors } from './daemon/doors.ts';
import { openHostWatch } from './daemon/host-watch.ts';
import { openKernelSide } from './daemon/kernel-side.ts';
import { createLiveness } from './daemon/liveness.ts';
import { logProblems, logRun } from './daemon/log-events.ts';
import { createModelFlow } from './daemon/model-flow.ts';
import { createModelHistory } from './daemon/model-history.ts';
import { openModelSide } from './daemon/model-side.ts';
import { openBootFiles } from './daemon/open-boot-files.ts';
import { openStoreOrRefuse } from './daemon/open-store-or-refuse.ts';
import { openOperatorSide } from './daemon/operator-side.ts';
import { watchItself } from './daemon/self-watch.ts';
import { createServiceNotifier } from './daemon/service-notifier.ts';
import { createThriftyHeap } from './daemon/thrifty-heap.ts';
import { Engine } from './engine/engine.ts';
import { OperatorActs } from './engine/operator-acts.ts';
import { createEventStream } from './events/event-stream.ts';
import { createAgentMetrics } from './metrics/agent-metrics.ts';
import { createChangeClock } from './metrics/change-clock.ts';
import { meteredStore } from './metrics/metered-store.ts';
import { registerStateGauges } from './metrics/state-gauges.ts';
import { nodeClock } from './node-clock.ts';
import { engineView } from './observe/engine-view.ts';
import { createHostSide } from './observe/host-side.ts';
import { NOTHING_MANAGED } from './observe/managed-view.ts';
import { createProblemBoard } from './problems/create-problem-board.ts';
import { restoreLine } from './restore/restore-line.ts';
import { RepairLimiter } from './resync/repair-limiter.ts';
import { createStatementMemory } from './server/statement-memory.ts';
import { createRunCharts, MINUTES_MAX } from './status/run-charts.ts';

/** The programs beside the agent's own: entries of this package, or their bundles. Absolute paths. */
export interface AgentPrograms {
  readonly launcher: string;
  readonly modelWorker: string;
}

export interface RunAgentOptions {
  readonly config: AgentConfig;
  readonly programs: AgentPrograms;
  readonly log: Logger;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An agent at work. */
export interface RunningAgent {
  /** Ends the run under way within bounds, writes what waits, closes everything. Changes nothing in the kernel. */
  stop(): Promise<void>;
}

/** The longest that a stop waits for the run under way, beyond `ipset.timeoutSeconds`. */
const STOP_GRACE_SECONDS = 5;
/** The longest that a stop waits for the boot files: a million members are written in a second or two. */
const STOP_BOOT_FILES_MS = 30_000;

/**
 * Builds an agent from its parts and starts it; resolves when its sockets answer. This is the one place where clock,
 * processes, files and sockets are made: everything else gets them as parameters. Throws a StartRefusal, one sentence,
 * when it cannot start; what the kernel or a source says never stops it.
 */
export async function runAgent(options: RunAgentOptions): Promise<RunningAgent> {
  const { config, programs, log, environment } = options;
  const clock = nodeClock;
  const startedAt = clock.now();
  const unique = `${startedAt.toString(36).slice(-8)}${randomBytes(2).toString('hex').slice(0, 3)}`;
  const host = config.host ?? hostname();
  const onBug = (error: unknown): void => log.error({ err: error }, 'a bug was contained; please report it');

  const events = createEventStream({ clock, epoch: unique });
  const problems = createProblemBoard(clock, events, logProblems(log));
  const metrics = createAgentMetrics();
  const changeClock = createChangeClock(clock);
  const charts = createRunCharts(clock);
  const heap = createThriftyHeap(clock, setFlagsFromString);

  const kernel = await openKernelSide({
    config,
    launcherProgram: programs.launcher,
    clock,
    problems,
    metrics,
    log,
    unique,
  });
  const plainStore = await openStoreOrRefuse({ config, clock, problems, onBug }).catch(async (error: unknown) => {
    await kernel.launcher.close();
    throw error;
  });
  const interrupted = { runs: plainStore.runs.interruptRunning(), acts: plainStore.audit.interruptOpen() };
  if (interrupted.runs + interrupted.acts > 0) log.warn(interrupted, 'the agent before this one was interrupted');
  charts.remember(plainStore.runs.endedSince(startedAt - MINUTES_MAX * 60_000));
  let lastRun: Run | null = plainStore.runs.list({ limit: 1 }).items[0] ?? null;
  const store = meteredStore(plainStore, metrics, {
    changes: changeClock,
    clock,
    onRun: (run) => {
      lastRun = run;
      heap.ran();
      logRun(log, run);
      if (run.phase === 'running') return;
      charts.runEnded(run.phase !== 'succeeded');
      bootFiles.wake();
    },
    onLatency: (seconds) => charts.latency(seconds),
  });
  const stopAuditHead = logAuditHead(store.audit, clock, (facts, message) => log.info(facts, message));
  const audit = createAuditTrail({ audit: store.audit, changes: store.changes, clock, events });

  const watch = openHostWatch({
    config,
    kernel,
    clock,
    unique,
    holdersSocket: environment.SETKEEPER_HOLDERS_SOCKET ?? null,
  });
  const model = openModelSide({ config, host, clock, store, modelWorkerProgram: programs.modelWorker });
  const liveness = createLiveness(clock, events);
  const engine = new Engine({
    membership: model.membership,
    reader: watch.reader,
    executor: kernel.executor,
    store,
    events: liveness.bus,
    problems,
    clock,
    config,
    render: restoreLine,
    unique,
    turn: () => turn(),
    isOnHold: (group) => operators.holds.isOnHold(group),
    isInternal: (name) => isInternal(name),
    repairPausedUntil: (key) => repairs.pausedUntil(key),
    onRepaired: (set) => repairs.repaired(set),
    onRest: () => {
      changeClock.settled();
      heap.rested();
      liveness.moved();
      bootFiles.wake();
    },
    onBug,
  });
  const bootFiles = openBootFiles({ config, engine, clock, problems });
  const repairs = new RepairLimiter(clock, problems, () => engine.reviewAll());
  const flow = createModelFlow({
    sources: model.sources,
    merge: model.merge,
    taker: engine,
    history: createModelHistory(store.changes),
    lastGood: store.lastGood,
    events,
    problems,
    clock,
    startTimeoutSeconds: config.startTimeoutSeconds,
    onChange: ({ changes }) => {
      changeClock.changeCame();
      heap.changed(changes.length);
    },
    onReconnect: (source) => metrics.sourceReconnects.inc({ source }),
    onBug,
  });

  const operators = openOperatorSide({ engine, store, clock, events, problems, families: config.sets.families });
  const acts = new OperatorActs(engine);
  const { merge } = model;
  const isInternal = (name: string): boolean => watch.isInternal(name, engine.isRunning);
  const hostSide = createHostSide({
    config,
    clock,
    observer: watch.observer,
    managed:
      config.mode === 'observe'
        ? NOTHING_MANAGED
        : engineView({ engine, store, waitingFor: () => merge.waitingFor(), isInternal }),
    engine,
    acts,
    store,
    events,
    problems,
    reader: watch.reader,
    render: restoreLine,
    isAllOnHold: () => operators.holds.isAllOnHold,
    objectOfKey: (key) => merge.record(key)?.object ?? null,
    turn: () => turn(),
    onBug,
  });
  const counts = () => ({ holds: operators.holds.count, overrides: operators.overrides.count, ...hostSide.counts() });
  const view = agentView({ engine, config, problems, counts });
  const stopGauges = registerStateGauges(
    metrics,
    { version: packageJson.version, node: process.version, ipset: kernel.preflight.version ?? '' },
    () => view.snapshot(model.merge),
  );
  const statements = createStatementMemory(clock);
  const handlers: Handlers = agentHandlers({
    config,
    host,
    version: packageJson.version,
    startedAt,
    isService: environment.NOTIFY_SOCKET !== undefined,
    clock,
    kernel,
    model,
    engine,
    acts,
    hostSide,
    operators,
    holders: watch.holders,
    statements,
    counts,
    flow,
    store,
    events,
    problems,
    metrics,
    charts,
    view,
    lastRun: () => lastRun,
  });
  const doors = await openDoors({
    config,
    host,
    clock,
    startedAt,
    handlers,
    statements,
    audit,
    events,
    problems,
    log,
    environment,
  }).catch(async (error: unknown) => {
    await Promise.all([model.close(), kernel.executor.close(), store.close()]);
    await kernel.launcher.close();
    throw error;
  });
  const notifier = createServiceNotifier({
    launcher: kernel.launcher,
    clock,
    environment,
    isAlive: () => liveness.isAlive(engine.isRunning),
  });
  const stopWatching = watchItself(clock, problems);

  hostSide.start();
  if (config.mode === 'manage') {
    engine.start();
    // Before any source speaks: what operators decided must be known when the first plan is made.
    await operators.start();
  }
  await flow.start();
  await notifier.ready();
  log.info(
    { host, mode: config.mode, namespace: kernel.preflight.namespace.name, ipset: kernel.preflight.version },
    'the agent is at work',
  );

  const stop = async (): Promise<void> => {
    log.info('stopping; the kernel keeps what it has');
    await notifier.stopping();
    notifier.close();
    stopWatching();
    stopGauges();
    await doors.close();
    operators.stop();
    hostSide.stop();
    repairs.stop();
    await flow.stop();
    await within((config.ipset.timeoutSeconds + STOP_GRACE_SECONDS) * 1000, engine.stop());
    await within(STOP_BOOT_FILES_MS, bootFiles.stop());
    await kernel.executor.close();
    await model.close();
    stopAuditHead();
    await store.close();
    await kernel.launcher.close();
    log.info('stopped');
  };
  let stopping: Promise<void> | null = null;
  return {
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** Waits for work, but no longer than `ms`. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

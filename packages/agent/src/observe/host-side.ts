import type { Handlers } from '@setkeeper/api';
import picomatch from 'picomatch';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { Engine } from '../engine/engine.ts';
import type { OperatorActs } from '../engine/operator-acts.ts';
import type { EventBus } from '../events/event-bus.ts';
import { Explainer, type ExplainerPorts } from '../explain/explainer.ts';
import { namedLeaks } from '../leaks/named-leaks.ts';
import { AutomaticCleanup } from '../leftovers/automatic-cleanup.ts';
import { Cleanup } from '../leftovers/cleanup.ts';
import type { LeftoverRules } from '../leftovers/judge-leftovers.ts';
import type { OwnershipRules } from '../ownership/set-ownership.ts';
import { setOwnership } from '../ownership/set-ownership.ts';
import type { RenderOperation } from '../plan/rendering.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { MemberRotation } from '../resync/member-rotation.ts';
import { explainHandlers } from '../server/handlers/explain.ts';
import { kernelHandlers } from '../server/handlers/kernel.ts';
import { leaksHandlers } from '../server/handlers/leaks.ts';
import { leftoversHandlers } from '../server/handlers/leftovers.ts';
import { referencesHandlers } from '../server/handlers/references.ts';
import type { Store } from '../store/store.ts';
import type { HostObserver } from './host-observer.ts';
import { HOST_PROBLEM_CODES, hostProblems } from './host-problems.ts';
import type { ManagedView } from './managed-view.ts';

type HostVerb =
  | 'kernel.list'
  | 'references.list'
  | 'leaks.list'
  | 'leftovers.list'
  | 'leftovers.cleanup'
  | 'explain.address';

/** What looks at the host beside the engine: kernel, references, leaks, leftovers, explain, and reading in rotation. */
export interface HostSide {
  readonly handlers: Pick<Handlers, HostVerb>;
  /** For status and metrics. O(sets) once a reading. */
  counts(): { readonly leftovers: number; readonly leaks: number; readonly unexplained: number };
  /** When headers were last read, and how many sets there were; null: not yet. */
  readAt(): { readonly at: number; readonly sets: number } | null;
  start(): void;
  stop(): void;
}

export interface HostSideOptions {
  readonly config: AgentConfig;
  readonly clock: Clock;
  readonly observer: HostObserver;
  readonly managed: ManagedView;
  readonly engine: Engine;
  readonly acts: OperatorActs;
  readonly store: Store;
  readonly events: EventBus;
  readonly problems: ProblemBoard;
  /** What it reads members with: the same that the engine has. */
  readonly reader: ExplainerPorts['reader'];
  readonly render: RenderOperation;
  readonly objectOfKey: NonNullable<ExplainerPorts['model']>['objectOfKey'];
  /** An operator stopped programming of everything: nothing is cleaned up by itself either. */
  readonly isAllOnHold: () => boolean;
  readonly turn: () => Promise<void>;
  readonly onBug: (error: unknown) => void;
}

/** With nothing new on the host, problems are looked at again so often: what the model wants may have changed. O(sets). */
const REVIEW_EVERY_MS = 5_000;

export function createHostSide(options: HostSideOptions): HostSide {
  const { config, clock, observer, managed, engine, store, events, problems } = options;
  const isManaging = config.mode === 'manage';
  const isIgnored = picomatch([...config.cleanup.ignore]);
  const rules = (): OwnershipRules => ({
    prefix: config.sets.prefix,
    formerPrefixes: config.sets.formerPrefixes,
    managedGroup: (name) => managed.owner(name)?.group,
    isInternal: managed.isInternal,
  });
  const leftoverRules = (): LeftoverRules => ({
    ...rules(),
    ownFormWaitsFor: managed.leftoversWaitFor(),
    isIgnored: (name) => config.cleanup.ignore.length > 0 && isIgnored(name),
  });

  const cleanup = new Cleanup({
    observer,
    acts: options.acts,
    problems,
    runs: store.runs,
    clock,
    render: options.render,
    rules: leftoverRules,
  });
  const explainer = new Explainer({
    reader: options.reader,
    observer,
    clock,
    rules,
    model: isManaging ? { state: engine.state, objectOfKey: options.objectOfKey } : null,
    addLine: (set, member) => options.render({ op: 'add', set: set as never, member }),
    turn: options.turn,
  });
  let leftovers = 0;
  let reviewedAt = Number.NEGATIVE_INFINITY;
  const automatic =
    isManaging && config.cleanup.mode === 'auto'
      ? new AutomaticCleanup({
          cleanup,
          clock,
          delaySeconds: config.cleanup.delaySeconds,
          isInSync: () => !options.isAllOnHold() && engine.settled().settled,
          leftovers: () => leftovers,
          onError: options.onBug,
        })
      : null;
  const rotation = new MemberRotation({
    clock,
    reader: options.reader,
    membersSeconds: config.resync.membersSeconds,
    sets: function* () {
      for (const set of engine.state.registry.all()) if (set.ledger.content.kind === 'known') yield set;
    },
    owner: (name) => engine.state.registry.owner(name as never),
    check: (set) => engine.drift.check(set),
    isBusy: () => engine.isRunning || engine.state.dirty.size > 0,
  });

  const review = (): void => {
    const { headers } = observer;
    if (headers === null) return;
    reviewedAt = clock.monotonic();
    const now = rules();
    leftovers = headers.sets.filter(({ header }) => isLeftover(header.name, now)).length;
    const found = hostProblems({
      headers,
      holders: observer.holders,
      leaks: observer.leaks,
      leaksAfterSeconds: config.leaks.afterSeconds,
      rules: now,
      pins: managed.pins(),
      now: clock.now(),
      leftovers: isManaging && managed.leftoversWaitFor() === null ? leftovers : 0,
    });
    for (const problem of found) problems.raise(problem);
    for (const code of HOST_PROBLEM_CODES) {
      problems.clearExcept(code, new Set(found.filter((one) => one.code === code).map(({ subject }) => subject)));
    }
  };
  observer.listen((news) => {
    // Where sets are managed the engine says so.
    if (!isManaging) reviewFault(observer, problems);
    const isStale = clock.monotonic() - reviewedAt >= REVIEW_EVERY_MS;
    if (news !== 'nothing' || isStale || observer.leaks.unexplained().length > 0) review();
    if (news === 'sets') events.emit({ type: 'kernel-changed' });
    if (news === 'holders') events.emit({ type: 'references-changed' });
  });

  return {
    handlers: {
      ...kernelHandlers({ observer, clock, rules }),
      ...referencesHandlers({ observer, managed, rules }),
      ...leaksHandlers({ observer, managed, clock, afterSeconds: config.leaks.afterSeconds }),
      ...leftoversHandlers({ cleanup, now: () => clock.now(), isManaging }),
      ...explainHandlers(explainer),
    },
    counts: () => {
      const unexplained = observer.leaks.unexplained();
      return {
        leftovers,
        leaks: observer.leaks.leaks(config.leaks.afterSeconds).length + namedLeaks(managed.pins(), clock.now()).length,
        unexplained: unexplained.reduce((sum, { count }) => sum + count, 0),
      };
    },
    readAt: () =>
      observer.headers === null
        ? null
        : { at: observer.headers.at, sets: observer.headers.sets.length + observer.headers.unreadable.length },
    start: () => {
      // Where sets are managed the engine reads headers all the time, and the observer hears of it.
      observer.start(isManaging ? null : Math.max(1, config.resync.headersSeconds));
      if (!isManaging) return;
      rotation.start();
      automatic?.start();
    },
    stop: () => {
      observer.stop();
      rotation.stop();
      automatic?.stop();
      cleanup.retries.stop();
    },
  };
}

function reviewFault({ fault }: HostObserver, problems: ProblemBoard): void {
  if (fault === null) {
    problems.clear('kernel-unreadable', 'ipset list');
    return;
  }
  problems.raise({
    code: 'kernel-unreadable',
    subject: 'ipset list',
    message: `The kernel's sets cannot be read: ${fault.message}.`,
    consequence: 'What is shown is what was last read.',
    remedy: 'Run "setkeeper doctor"; it names what is missing.',
  });
}

function isLeftover(name: string, rules: OwnershipRules): boolean {
  const { owner } = setOwnership(name, rules);
  return owner === 'leftover' || owner === 'temporary';
}

import type { GroupId } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { Membership } from '../membership/membership.ts';
import type { RenderOperation } from '../plan/rendering.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { RestoreExecutor } from '../restore/execution.ts';
import type { SetKey } from '../sets/set-key.ts';
import type { Store } from '../store/store.ts';

/** Everything the engine reaches the world through. */
export interface EnginePorts {
  readonly membership: Membership;
  readonly reader: KernelReader;
  readonly executor: RestoreExecutor;
  readonly store: Store;
  readonly events: EventBus;
  readonly problems: ProblemBoard;
  readonly clock: Clock;
  readonly config: AgentConfig;
  /** How an operation is written for the kernel. */
  readonly render: RenderOperation;
  /** Unique to this start of the agent, at most 12 of `[a-z0-9]`: part of run ids and of temporary names. */
  readonly unique: string;
  /** Lets the event loop take a turn inside long work. */
  readonly turn: () => Promise<void>;
  /** An operator stopped programming and repair of a group, or of all. */
  readonly isOnHold?: (group: GroupId) => boolean;
  /** Until when (milliseconds since 1970) a drifted set is not repaired, because somebody fights over it; null: now. */
  readonly repairPausedUntil?: (key: SetKey) => number | null;
  /** What somebody else did to a set was repaired. */
  readonly onRepaired?: (set: RepairedSet) => void;
  /** Sets that the agent itself uses now, such as the executor's acknowledgement set: never swept. */
  readonly isInternal?: (name: string) => boolean;
  /** Nothing is left to do now: what came so far is in the kernel, or changed nothing there. */
  readonly onRest?: () => void;
  /** The digest of kernel names; for tests that force two groups into one name. */
  readonly digest?: (utf8: Uint8Array) => Uint8Array;
  /** Tells of bugs that were contained: an assertion that failed. */
  readonly onBug?: (error: unknown) => void;
}

/** A set whose drift was repaired, and how it is named to people. */
export interface RepairedSet {
  readonly key: SetKey;
  readonly title: string;
  readonly name: string;
}

/** A source as the engine has to know it. */
export interface SourceStanding {
  readonly name: string;
  readonly kind: 'directory' | 'etcd' | 'declared';
  readonly state: 'current' | 'stale' | 'missing';
}

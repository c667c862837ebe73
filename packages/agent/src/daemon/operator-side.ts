import { randomBytes } from 'node:crypto';
import type { Family } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventBus } from '../events/event-bus.ts';
import { HoldBook } from '../holds/hold-book.ts';
import { OverrideBook } from '../overrides/override-book.ts';
import { PinBook } from '../pins/pin-book.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { Store } from '../store/store.ts';

/** What operators lay over the model: holds, overrides, pins. */
export interface OperatorSide {
  readonly holds: HoldBook;
  readonly overrides: OverrideBook;
  readonly pins: PinBook;
  /** Puts into force what stands from before. */
  start(): Promise<void>;
  stop(): void;
}

export interface OperatorSideOptions {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly problems: ProblemBoard;
  readonly families: readonly Family[];
}

/** Who acts when an entry has had its time. */
const ITSELF = 'setkeeper';

export function openOperatorSide(options: OperatorSideOptions): OperatorSide {
  const { engine, store, clock, events, problems, families } = options;
  const { facts } = store;
  const note = (subject: string, text: string, groups: readonly string[]): void =>
    store.changes.append({
      at: new Date(clock.now()).toISOString(),
      kind: 'operator',
      actor: ITSELF,
      subject,
      text,
      groups: groups.slice(0, 100),
    });
  const holds = new HoldBook({
    facts,
    clock,
    problems,
    events,
    onChange: () => engine.reviewAll(),
    onEnded: (what) => note(what.join(', '), `the hold of ${what.join(', ')} ended`, what),
  });
  const overrides = new OverrideBook({
    facts,
    clock,
    events,
    families,
    newId: () => `o${randomBytes(4).toString('hex')}`,
    apply: (entries) => engine.setOverrides(entries),
    onEnded: (ended) => {
      for (const { group, address, kind } of ended) {
        note(group, `the override (${kind} ${address}) on ${group} ended`, [group]);
      }
    },
  });
  const pins = new PinBook({ facts, clock, events, apply: (standing) => engine.setPins(standing) });
  return {
    holds,
    overrides,
    pins,
    start: async () => {
      holds.start();
      await overrides.start();
      await pins.start();
    },
    stop: () => {
      holds.stop();
      overrides.stop();
    },
  };
}

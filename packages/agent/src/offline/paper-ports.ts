import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { EnginePorts } from '../engine/ports.ts';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { Membership } from '../membership/membership.ts';
import { restoreLine } from '../restore/restore-line.ts';
import type { Store } from '../store/store.ts';
import { memoryFacts } from '../timed/memory-facts.ts';

export interface PaperPortsOptions {
  readonly config: AgentConfig;
  readonly membership: Membership;
  readonly reader: KernelReader;
  readonly clock: Clock;
}

/** What the engine's pure parts need where there is no agent: nothing is kept, told or sent. */
export function paperPorts({ config, membership, reader, clock }: PaperPortsOptions): EnginePorts {
  const notOnPaper = (what: string): never => {
    throw new Error(`a plan on paper has no ${what}`);
  };
  const nothing = { emit: () => {} };
  return {
    membership,
    reader,
    executor: {
      execute: () => notOnPaper('kernel to write to'),
      recycle: () => {},
      close: () => Promise.resolve(),
    },
    store: paperStore(notOnPaper),
    events: nothing,
    problems: { raise: () => {}, clear: () => {}, clearExcept: () => {}, list: () => [] },
    clock,
    config,
    render: restoreLine,
    unique: 'paper',
    turn: () => turn(),
  };
}

/** Facts for as long as the question is asked; a time line that nobody reads; nothing else. */
function paperStore(notOnPaper: (what: string) => never): Store {
  const has = { facts: memoryFacts(), changes: { append: () => {} }, wasSetAside: false };
  return new Proxy(has, {
    get: (known, name) => (name in known ? Reflect.get(known, name) : notOnPaper(`store for ${String(name)}`)),
    // The engine's planning asks for these three alone, and any other asks in vain, loudly.
  }) as unknown as Store;
}

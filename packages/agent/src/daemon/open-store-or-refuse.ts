import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import { openStore } from '../store/open-store.ts';
import type { Store } from '../store/store.ts';
import { StoreFault } from '../store/store-fault.ts';
import { StartRefusal } from './start-refusal.ts';
import { storeProblems } from './store-problems.ts';

/** Opens the store of the configuration, or throws the sentence that says why not. */
export async function openStoreOrRefuse(options: {
  readonly config: AgentConfig;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
  readonly onBug: (error: unknown) => void;
}): Promise<Store> {
  const { config, clock, problems, onBug } = options;
  try {
    return openStore({
      path: config.store,
      clock,
      history: config.history,
      watcher: storeProblems(config.store, problems, onBug),
    });
  } catch (error) {
    if (error instanceof StoreFault) throw new StartRefusal(error.message, error);
    throw error;
  }
}

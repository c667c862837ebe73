import type { Change, DriftEntry, Run } from '@setkeeper/api';
import type { Exception } from '../../restore/execution.ts';
import type { RunSection, Store } from '../../store/store.ts';

/** The part of a store that the engine uses, in memory, with what a test looks at. */
export class MemoryStore {
  readonly facts = new Map<string, Map<string, unknown>>();
  readonly runs = new Map<
    string,
    {
      run: Run;
      exceptions: readonly Exception[];
      sections: readonly RunSection[];
      readBack: ReadonlyMap<string, string>;
    }
  >();
  readonly changes: Omit<Change, 'id'>[] = [];
  readonly drift: DriftEntry[] = [];
  wasSetAside = false;

  /** As the engine sees it. What it never asks for is not there, and would throw. */
  asStore(): Store {
    const { facts, runs, changes, drift } = this;
    const isSetAside = (): boolean => this.wasSetAside;
    const of = (noun: string): Map<string, unknown> => {
      const known = facts.get(noun) ?? new Map<string, unknown>();
      facts.set(noun, known);
      return known;
    };
    const store = {
      facts: {
        // Kept as JSON, as the real one does.
        list: (noun: string) => [...of(noun)].map(([id, value]) => ({ id, value: JSON.parse(JSON.stringify(value)) })),
        put: (noun: string, id: string, value: unknown) => void of(noun).set(id, JSON.parse(JSON.stringify(value))),
        delete: (noun: string, id: string) => void of(noun).delete(id),
      },
      runs: {
        begin: (run: Run, script: Iterable<string>) => {
          for (const line of script) if (line.includes('\n')) throw new Error('a line holds a newline');
          runs.set(run.id, { run, exceptions: [], sections: [], readBack: new Map() });
        },
        finish: (
          run: Run,
          exceptions: readonly Exception[],
          sections: readonly RunSection[],
          readBack: ReadonlyMap<string, string>,
        ) => void runs.set(run.id, { run, exceptions, sections, readBack }),
        get: (id: string) => runs.get(id)?.run ?? null,
        list: () => ({ items: [...runs.values()].map(({ run }) => run).reverse(), total: runs.size }),
      },
      changes: { append: (change: Omit<Change, 'id'>) => void changes.push(change), objectChanges: () => [] },
      drift: {
        append: (entry: DriftEntry) => void drift.push(entry),
        repaired: (id: string, at: string, run: string) => {
          const index = drift.findIndex((entry) => entry.id === id);
          const entry = drift[index];
          if (entry !== undefined) drift[index] = { ...entry, repairedAt: at, repairRun: run };
        },
        list: () => ({ items: drift, total: drift.length }),
      },
      get wasSetAside() {
        return isSetAside();
      },
    };
    return store as unknown as Store;
  }
}

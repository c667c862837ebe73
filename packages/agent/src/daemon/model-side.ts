import { pathToFileURL } from 'node:url';
import type { Clock } from '../clock.ts';
import type { AgentConfig } from '../config/agent-config.ts';
import { createMembership } from '../membership/create-membership.ts';
import type { Membership } from '../membership/membership.ts';
import { createDeclaredSource, type DeclaredSource } from '../sources/declared-source.ts';
import { createDirectorySource } from '../sources/directory/directory-source.ts';
import type { ModelParser } from '../sources/directory/model-parser.ts';
import { createWorkerParser } from '../sources/directory/worker-parser.ts';
import { createEtcdSource } from '../sources/etcd/etcd-source.ts';
import { createMerge, type Merge } from '../sources/merge.ts';
import type { Source } from '../sources/source.ts';
import type { Store } from '../store/store.ts';
import { sourceNames } from './source-names.ts';

/** Where the model comes from and what it makes. */
export interface ModelSide {
  readonly sources: readonly Source[];
  readonly declared: DeclaredSource | null;
  readonly merge: Merge;
  readonly membership: Membership;
  /** For text of the API: not the one that reads directories, which may be long at it. */
  readonly textParser: ModelParser;
  close(): Promise<void>;
}

export interface ModelSideOptions {
  readonly config: AgentConfig;
  readonly host: string;
  readonly clock: Clock;
  readonly store: Store;
  /** `entry/model-worker.ts`, or its bundle. */
  readonly modelWorkerProgram: string;
}

/** Makes the configured sources, not started yet, and the empty model that they will fill. To observe there is none. */
export function openModelSide(options: ModelSideOptions): ModelSide {
  const { config, host, clock, store } = options;
  const program = pathToFileURL(options.modelWorkerProgram);
  const fileParser = createWorkerParser({ program, clock });
  const textParser = createWorkerParser({ program, clock });
  const configured = config.mode === 'observe' ? [] : config.sources;
  const names = sourceNames(configured);
  let declared: DeclaredSource | null = null;

  const sources = configured.map((source, index): Source => {
    const shared = { name: names[index] ?? '', clock, lastGood: store.lastGood };
    if ('directory' in source) {
      const { path, quietMs } = source.directory;
      return createDirectorySource({ ...shared, path, quietMs, parser: fileParser });
    }
    if ('declared' in source) {
      const made = createDeclaredSource({ ...shared, facts: store.facts });
      declared ??= made;
      return made;
    }
    return createEtcdSource({ ...shared, ...source.etcd, name: shared.name, host });
  });

  const merge = createMerge({ order: sources, clock });
  const membership = createMembership({ host, originOf: (key) => merge.originOf(key) });
  return {
    sources,
    declared,
    merge,
    membership,
    textParser,
    close: async () => {
      await Promise.all([fileParser.close(), textParser.close()]);
    },
  };
}

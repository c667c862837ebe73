import { ApiError, type Handlers } from '@setkeeper/api';
import type { Clock } from '../../clock.ts';
import type { Merge } from '../../sources/merge.ts';
import type { Source } from '../../sources/source.ts';
import { sourceRow } from '../../sources/source-rows.ts';

/** What the verbs on sources need. */
export interface SourcesDependencies {
  readonly merge: Merge;
  readonly sources: readonly Source[];
  readonly clock: Clock;
  /** Resolves when every update that a source has delivered is part of the model. */
  readonly settled: () => Promise<void>;
  /** An operator took what a source now says as complete: what is held because of it may go. */
  readonly onAccepted: (
    source: string,
    by: { readonly actor: string; readonly reason: string },
  ) => void | Promise<void>;
}

/** State of each source, and an operator's word that what it now says is complete. */
export function sourcesHandlers(deps: SourcesDependencies): Pick<Handlers, 'sources.list' | 'sources.accept'> {
  const { merge, sources, clock, settled, onAccepted } = deps;
  return {
    'sources.list': () => merge.sources().map((source) => sourceRow(source, clock.now())),

    'sources.accept': async ({ name, reason }, { caller }) => {
      const source = sources.find((each) => each.name === name);
      if (source === undefined) {
        throw new ApiError('not-found', `There is no source ${name}.`, {
          subject: name,
          remedy: `The sources are ${sources.map((each) => each.name).join(', ')}.`,
        });
      }
      await source.accept?.();
      await settled();
      await onAccepted(name, { actor: caller.name, reason });
      const merged = merge.source(name);
      if (merged === null) throw new ApiError('not-found', `There is no source ${name}.`, { subject: name });
      return sourceRow(merged, clock.now());
    },
  };
}

import type { Source as SourceRow } from '@setkeeper/api';
import type { MergedSource } from './merge.ts';

/** Faults of one source that an answer holds; the last row counts the rest. */
const FAULTS_TOLD_MAX = 1_000;

/** A source as the API shows it. `now` in milliseconds since 1970. */
export function sourceRow(source: MergedSource, now: number): SourceRow {
  const { name, kind, state, objects, faults, detail, commit, lastGoodAt, hasSpoken } = source;
  const goodAt = state === 'current' ? now : lastGoodAt;
  return {
    name,
    kind,
    state,
    since: new Date(source.since).toISOString(),
    objects,
    problems: toldFaults(faults),
    lastGoodAt: goodAt === null ? null : new Date(goodAt).toISOString(),
    ...(detail === null ? {} : { detail }),
    ...(commit === null ? {} : { commit }),
    ...(hasSpoken ? {} : { waiting: detail ?? 'not read yet since the start of the agent' }),
  };
}

function toldFaults(faults: MergedSource['faults']): SourceRow['problems'] {
  const told = faults.slice(0, FAULTS_TOLD_MAX);
  const untold = faults.length - told.length;
  if (untold === 0) return told;
  return [...told, { file: '', line: 1, path: '', reason: `and ${untold} more`, severity: 'error' }];
}

import type { DriftEntry } from '@setkeeper/api';
import type { Member } from '@setkeeper/ipset';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { EngineState } from './engine-state.ts';
import { setTitle } from './set-problems.ts';

/** What somebody else did to a set, in kernel elements; empty for what happened to the set as a whole. */
export interface DriftFound {
  readonly kind: DriftEntry['kind'];
  /** Programmed, and gone. */
  readonly missing: ReadonlySet<Member>;
  /** Not programmed, and there. */
  readonly extra: ReadonlySet<Member>;
}

const SAMPLE = 10;

/** Marks a set as drifted and keeps it in the history. A drift that stands is widened, not repeated. */
export function recordDrift(state: EngineState, set: ManagedSet, found: DriftFound): void {
  const { ports } = state;
  const at = state.now();
  const standing = set.drift;
  const id = standing?.id ?? `${ports.unique}-d${++state.lastDrift}`;
  set.drift = {
    id,
    since: standing?.since ?? at,
    missing: new Set([...(standing?.missing ?? []), ...found.missing]),
    extra: new Set([...(standing?.extra ?? []), ...found.extra]),
  };
  state.dirty.add(set);
  if (standing !== null) return;
  ports.store.drift.append({
    id,
    at: new Date(at).toISOString(),
    group: set.group,
    family: set.family,
    name: set.name,
    kind: found.kind,
    added: found.extra.size,
    removed: found.missing.size,
    sampleAdded: [...found.extra].slice(0, SAMPLE),
    sampleRemoved: [...found.missing].slice(0, SAMPLE),
    repairedAt: null,
    repairRun: null,
  });
  ports.store.changes.append({
    at: new Date(at).toISOString(),
    kind: 'drift',
    actor: 'somebody else',
    subject: set.name,
    text: `${setTitle(set)}: ${driftWords(found)}`,
    groups: [set.group],
  });
  ports.events.emit({ type: 'drift-found', subject: set.name, groups: [set.group] });
  ports.problems.raise({
    code: 'drift',
    subject: setTitle(set),
    message: `Somebody else changed ${set.name}: ${driftWords(found)}.`,
    remedy: `"setkeeper set ${set.group}" shows what; it is repaired unless repair is off.`,
  });
}

/** Ends a set's drift once nothing of it is left. */
export function closeDrift(state: EngineState, set: ManagedSet, run: string): void {
  const { drift } = set;
  if (drift === null || set.remake !== null || set.conflict !== null) return;
  const { content } = set.ledger;
  if (content.kind === 'unknown' || (content.kind === 'absent' && set.isWanted)) return;
  if (content.kind === 'known') {
    for (const element of drift.missing) if (content.missing.has(element as Member)) return;
    for (const element of drift.extra) if (content.extra.has(element as Member)) return;
  }
  set.drift = null;
  const { store, events, problems, onRepaired } = state.ports;
  onRepaired?.({ key: set.key, title: setTitle(set), name: set.name });
  store.drift.repaired(drift.id, new Date(state.now()).toISOString(), run);
  problems.clear('drift', setTitle(set));
  events.emit({ type: 'drift-repaired', subject: set.name, groups: [set.group], run });
}

function driftWords({ kind, missing, extra }: DriftFound): string {
  switch (kind) {
    case 'members':
      return `${extra.size} members added, ${missing.size} taken out`;
    case 'destroyed':
      return 'the set was destroyed';
    case 'created':
      return 'a set of its name was created';
    case 'retyped':
      return 'it has another type';
    case 'family':
      return 'it has another family';
    case 'header':
      return 'it has other parameters';
    case 'swapped':
      return 'it was swapped with another set';
  }
}

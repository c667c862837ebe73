import { createHash } from 'node:crypto';
import type { Holder, Leftover } from '@setkeeper/api';
import { parseSetName, type SetName } from '@setkeeper/ipset';
import type { Digest, Section } from '../plan/plan.ts';
import type { RenderOperation } from '../plan/rendering.ts';

/** A set that a clean-up leaves, and why. */
export interface KeptSet {
  readonly name: string;
  readonly reason: string;
  readonly holders: Holder[];
}

/** What a clean-up would do, exactly. */
export interface CleanupSelection {
  /** Destroys in the order in which they are sent: lists before their members, else the kernel's own order. Never a flush. */
  readonly sections: readonly Section[];
  readonly script: string;
  /** SHA-256 over the script: the confirmation is for these lines and no others, whatever the model does meanwhile. */
  readonly digest: Digest;
  readonly kept: readonly KeptSet[];
}

/** The eligible ones of the leftovers that were asked for (all, if no names were given), and why the others stay. */
export function selectCleanup(
  leftovers: readonly Leftover[],
  names: readonly string[],
  parts: { readonly render: RenderOperation; readonly whyNotLeftover: (name: string) => string },
): CleanupSelection {
  const asked = names.length === 0 ? null : new Set(names);
  const rows = asked === null ? leftovers : leftovers.filter((row) => asked.has(row.name));
  const going = rows.filter((row) => row.eligible);
  const sections = [...going.filter(isList), ...going.filter((row) => !isList(row))].flatMap((row) => {
    const set = parseSetName(row.name);
    return set === undefined ? [] : [destroySection(set, row.entries ?? 0)];
  });
  const found = new Set(rows.map((row) => row.name));
  const unknown = [...(asked ?? [])].filter((name) => !found.has(name));
  const script = sections.map(({ set }) => `${parts.render({ op: 'destroy', set })}\n`).join('');
  return {
    sections,
    script,
    digest: createHash('sha256').update(script).digest('hex') as Digest,
    kept: [
      ...rows.filter((row) => !row.eligible).map(({ name, reason = '', holders }) => ({ name, reason, holders })),
      ...unknown.map((name) => ({ name, reason: parts.whyNotLeftover(name), holders: [] })),
    ],
  };
}

const isList = ({ type }: Leftover): boolean => type === 'list:set';

const destroySection = (set: SetName, entries: number): Section => ({
  group: null,
  family: null,
  set,
  how: 'destroy',
  header: null,
  temp: null,
  createMain: false,
  dels: [],
  adds: [],
  before: entries,
  after: 0,
});

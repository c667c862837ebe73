import type { ManagedSet } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { CapacityBar } from '../../ui/capacity-bar.tsx';
import { count } from '../../ui/count.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { runHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { Pending, Quantity } from '../../words/pending.tsx';
import { phaseWords, resultWords, State, syncWords, useWords } from '../../words/state-words.tsx';

/** Identifies a managed set: one group in one family. */
export function setId(set: Pick<ManagedSet, 'group' | 'family'>): string {
  return `${set.group} ${set.family ?? 'list'}`;
}

/** The columns of a list of managed sets: each answer of its own, none folded into another. */
export const setColumns: readonly Column<ManagedSet>[] = [
  {
    id: 'group',
    header: 'Group',
    isSticky: true,
    width: 'minmax(11rem, 2fr)',
    sort: 'group',
    cell: (set) => (
      <span className="inline-flex max-w-full items-baseline gap-2">
        <span className="truncate">
          <GroupLink group={set.group} family={set.family} />
        </span>
        {set.defined ? null : <span className="text-xs text-warn">not defined</span>}
      </span>
    ),
    narrow: 'title',
    plain: (set) => set.group,
  },
  {
    id: 'family',
    header: 'Family',
    width: '3.5rem',
    cell: (set) => set.family ?? <span className="text-ink-3">list</span>,
    narrow: 'title',
    plain: (set) => set.family,
  },
  {
    id: 'sync',
    header: 'Sync',
    width: '6.25rem',
    sort: 'sync',
    cell: (set) => (
      <span className="inline-flex items-center gap-1.5 align-middle" title={set.syncCause ?? set.error}>
        <State words={syncWords} word={set.sync} />
        {set.onHold ? (
          <StateMark tone="warn" sign="stopped">
            <span className="sr-only">on hold</span>
          </StateMark>
        ) : null}
      </span>
    ),
    narrow: 'title',
    plain: (set) => set.sync,
  },
  {
    id: 'desired',
    header: 'Desired',
    width: '4.5rem',
    sort: 'desired',
    isNumber: true,
    explains: 'What the model asks for',
    cell: (set) => count(set.desired),
    narrow: 'line',
    plain: (set) => set.desired,
  },
  {
    id: 'programmed',
    header: 'Programmed',
    width: '6.25rem',
    sort: 'programmed',
    isNumber: true,
    explains: 'What the kernel acknowledged',
    cell: (set) => (
      <Quantity value={set.programmed} tone={set.programmed === set.desired ? undefined : 'font-semibold text-warn'} />
    ),
    narrow: 'line',
    plain: (set) => set.programmed,
  },
  {
    id: 'kernel',
    header: 'Kernel',
    width: '4.5rem',
    sort: 'kernel',
    isNumber: true,
    explains: 'What the last read-back saw',
    cell: (set) => (
      <span title={set.readAt === null ? 'never read' : `read ${set.readAt}`}>
        <Quantity value={set.kernel} tone={set.kernel === set.programmed ? undefined : 'font-semibold text-bad'} />
      </span>
    ),
    narrow: 'line',
    plain: (set) => set.kernel,
  },
  {
    id: 'pending',
    header: 'Pending',
    width: '4.75rem',
    sort: 'pending',
    isNumber: true,
    explains: 'To add and to remove',
    cell: (set) => <Pending adds={set.pending.adds} dels={set.pending.dels} />,
    narrow: 'line',
    plain: (set) => `+${set.pending.adds} -${set.pending.dels}`,
  },
  {
    id: 'parked',
    header: 'Parked',
    width: '4.25rem',
    sort: 'parked',
    isNumber: true,
    explains: 'Rejected by the kernel, tried again',
    cell: (set) => <Quantity value={set.parked} tone="font-semibold text-bad" />,
    narrow: 'line',
    plain: (set) => set.parked,
  },
  {
    id: 'over',
    header: 'No room',
    width: '4.5rem',
    sort: 'overCapacity',
    isNumber: true,
    explains: 'Members for which the set has no room',
    cell: (set) => <Quantity value={set.overCapacity} tone="font-semibold text-warn" />,
    isHiddenAtFirst: true,
    plain: (set) => set.overCapacity,
  },
  {
    id: 'use',
    header: 'Use',
    width: '5rem',
    sort: 'use',
    cell: (set) => (
      <State words={useWords} word={set.use}>
        {set.use === 'used' ? `by ${set.usedBy}` : set.use}
      </State>
    ),
    narrow: 'line',
    plain: (set) => (set.use === 'used' ? `used by ${set.usedBy}` : set.use),
  },
  {
    id: 'phase',
    header: 'Phase',
    width: '5rem',
    sort: 'phase',
    cell: (set) => <State words={phaseWords} word={set.phase} />,
    plain: (set) => set.phase,
  },
  {
    id: 'capacity',
    header: 'Capacity',
    width: '5.5rem',
    cell: (set) => <CapacityBar members={set.programmed} maxelem={set.maxelem} />,
    plain: (set) => set.maxelem,
  },
  {
    id: 'references',
    header: 'Refs',
    width: '3.5rem',
    sort: 'references',
    isNumber: true,
    explains: 'Named references, and references that the kernel counts',
    cell: (set) => (
      <span title={set.references.join(', ')}>
        {set.references.length} / <Quantity value={set.kernelReferences} />
      </span>
    ),
    plain: (set) => `${set.references.length}/${set.kernelReferences ?? '?'}`,
  },
  {
    id: 'last',
    header: 'Last run',
    width: '6.75rem',
    cell: (set) =>
      set.lastRun === null ? (
        <State words={resultWords} word={set.lastResult} />
      ) : (
        <AppLink href={runHref(set.lastRun)} className="hover:underline" title={set.error}>
          <State words={resultWords} word={set.lastResult} />
        </AppLink>
      ),
    narrow: 'line',
    plain: (set) => (set.lastRun === null ? set.lastResult : `${set.lastResult} ${set.lastRun}`),
  },
  {
    id: 'name',
    header: 'Kernel name',
    width: 'minmax(10rem, 1.2fr)',
    sort: 'name',
    cell: (set) => <Verbatim text={set.name} className="text-xs text-ink-2" />,
    plain: (set) => set.name,
  },
  {
    id: 'type',
    header: 'Type',
    width: '5.5rem',
    sort: 'type',
    cell: (set) => <Verbatim text={set.type} className="text-xs text-ink-2" />,
    plain: (set) => set.type,
  },
  {
    id: 'changed',
    header: 'Changed',
    width: '6.5rem',
    sort: 'changedAt',
    cell: (set) => <Ago at={set.changedAt} />,
    isHiddenAtFirst: true,
    plain: (set) => set.changedAt,
  },
];

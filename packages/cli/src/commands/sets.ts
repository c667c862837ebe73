import type { ManagedSet } from '@setkeeper/api';
import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import type { Column } from '../output/output.ts';
import { toneOf } from '../output/tone.ts';
import { printList } from './print-list.ts';

interface SetsOptions {
  readonly state?: string;
  readonly kind?: 'tag' | 'port' | 'net' | 'list' | 'hosts';
  readonly filter?: string;
}

/** `sets`: every managed set, one a row. */
export const addSets: AddCommand = (program, cli) => {
  program
    .command('sets')
    .description('managed sets: what is desired, programmed and in the kernel, and how each stands')
    .option('--state <state>', 'any value of an axis: live, dirty, in-sync, failed, unused, parked, ...')
    .option('--kind <kind>', 'tag, port, net, list or hosts')
    .option('--filter <text>', 'free text and terms such as tag:web member:10.65.0.2 ref:policy/x')
    .action(
      cli.asking(async ({ api, out }, options: SetsOptions) => {
        await printList(out, {
          fetchPage: (page) => api.sets.list.query({ ...page, ...options }),
          columns: setColumns(out.now()),
          empty: 'no managed set fits',
        });
        return undefined;
      }),
    );
};

const setColumns = (now: number): readonly Column<ManagedSet>[] => [
  { head: 'group', cell: (set) => set.group },
  { head: 'family', cell: (set) => set.family },
  { head: 'name', cell: (set) => set.name },
  { head: 'phase', cell: (set) => [set.phase, toneOf(set.phase)] },
  {
    head: 'sync',
    cell: (set) => [set.blocked === undefined ? set.sync : `${set.sync} (${set.blocked})`, toneOf(set.sync)],
  },
  { head: 'use', cell: (set) => (set.use === 'used' ? `used by ${set.usedBy}` : [set.use, 'warn']) },
  { head: 'desired', align: 'right', cell: (set) => set.desired },
  { head: 'programmed', align: 'right', cell: (set) => set.programmed },
  { head: 'kernel', align: 'right', cell: (set) => set.kernel },
  {
    head: 'pending',
    align: 'right',
    cell: ({ pending }) => (pending.adds + pending.dels === 0 ? '-' : [`+${pending.adds} -${pending.dels}`, 'warn']),
  },
  {
    head: 'parked',
    align: 'right',
    cell: (set) => (set.parked + set.overCapacity === 0 ? '-' : [`${set.parked} / ${set.overCapacity} over`, 'bad']),
  },
  { head: 'last result', cell: (set) => [set.lastResult, toneOf(set.lastResult)] },
  { head: 'read', cell: (set) => ago(set.readAt, now) },
];

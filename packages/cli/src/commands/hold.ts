import type { Hold } from '@setkeeper/api';
import { durationArgument } from '../arguments/duration.ts';
import type { AddCommand } from '../cli.ts';
import { usageFailure } from '../failure.ts';
import type { Output } from '../output/output.ts';
import { printRows } from './print-list.ts';

interface HoldOptions {
  readonly all?: true;
  readonly for: number;
  readonly reason: string;
}

/** `hold`: stops programming and repair of groups, or all, for a time; read-back goes on. */
export const addHold: AddCommand = (program, cli) => {
  program
    .command('hold')
    .description('stop programming and repair, for groups or all; read-back goes on')
    .argument('[groups...]', 'these groups')
    .option('--all', 'every group')
    .requiredOption('--for <time>', '30s, 5m, 1h, 7d', durationArgument)
    .requiredOption('--reason <text>', 'why; kept in the audit')
    .action(
      cli.asking(async ({ api, out }, groups: string[], options: HoldOptions) => {
        const { all = false, reason } = options;
        if (groups.length === 0 && !all) throw usageFailure('name at least one group, or say --all');
        if (groups.length > 0 && all) throw usageFailure('groups and --all exclude each other');
        await printHolds(out, await api.holds.add.mutate({ groups, all, forSeconds: options.for, reason }));
        return undefined;
      }),
    );
};

/** Prints holds. */
export async function printHolds(out: Output, holds: readonly Hold[]): Promise<void> {
  await printRows(
    out,
    holds,
    [
      { head: 'id', cell: (hold) => hold.id },
      { head: 'group', cell: (hold) => hold.group ?? 'all' },
      { head: 'until', cell: (hold) => hold.until },
      { head: 'by', cell: (hold) => hold.by },
      { head: 'reason', cell: (hold) => hold.reason },
    ],
    'nothing is on hold',
  );
}

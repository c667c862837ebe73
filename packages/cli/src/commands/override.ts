import type { Override } from '@setkeeper/api';
import type { Command } from 'commander';
import { durationArgument } from '../arguments/duration.ts';
import type { AddCommand, Cli } from '../cli.ts';
import type { Output } from '../output/output.ts';
import { printRows } from './print-list.ts';

interface OverrideOptions {
  readonly for: number;
  readonly reason: string;
}

/** `override add|exclude|list|remove`: temporary exceptions that beat every source. Each prints the overrides that stand after it. */
export const addOverride: AddCommand = (program, cli) => {
  const override = program.command('override').description('temporary exceptions; they beat every source');
  addKind(override, cli, 'add', 'put an address into a group for a time');
  addKind(override, cli, 'exclude', 'keep an address out of a group for a time');
  override
    .command('list')
    .description('the overrides that stand')
    .action(
      cli.asking(async ({ api, out }) => {
        await printOverrides(out, await api.overrides.list.query());
        return undefined;
      }),
    );
  override
    .command('remove')
    .description('end an override')
    .argument('<id>', 'the id of an override')
    .action(
      cli.asking(async ({ api, out }, id: string) => {
        await printOverrides(out, await api.overrides.remove.mutate({ id }));
        return undefined;
      }),
    );
};

function addKind(override: Command, cli: Cli, kind: 'add' | 'exclude', description: string): void {
  override
    .command(kind)
    .description(description)
    .argument('<group>', 'the group')
    .argument('<address>', 'an address, or for networks a CIDR block')
    .requiredOption('--for <time>', '30s, 5m, 1h, 7d', durationArgument)
    .requiredOption('--reason <text>', 'why; kept in the audit')
    .action(
      cli.asking(async ({ api, out }, group: string, address: string, options: OverrideOptions) => {
        await api.overrides.add.mutate({ kind, group, address, forSeconds: options.for, reason: options.reason });
        await printOverrides(out, await api.overrides.list.query());
        return undefined;
      }),
    );
}

async function printOverrides(out: Output, overrides: readonly Override[]): Promise<void> {
  await printRows(
    out,
    overrides,
    [
      { head: 'id', cell: (override) => override.id },
      { head: 'kind', cell: (override) => override.kind },
      { head: 'group', cell: (override) => override.group },
      { head: 'address', cell: (override) => override.address },
      { head: 'until', cell: (override) => override.until },
      { head: 'by', cell: (override) => override.by },
      { head: 'reason', cell: (override) => override.reason },
    ],
    'no override stands',
  );
}

import type { Source } from '@setkeeper/api';
import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import type { Output } from '../output/output.ts';
import { toneOf } from '../output/tone.ts';
import { printRows } from './print-list.ts';

/** `sources`: the state of each source, in order of precedence. */
export const addSources: AddCommand = (program, cli) => {
  program
    .command('sources')
    .description('state of each source, in order of precedence')
    .action(
      cli.asking(async ({ api, out }) => {
        await printSources(out, await api.sources.list.query());
        return undefined;
      }),
    );
};

/** Prints sources, and below them every fault with file and line. */
export async function printSources(out: Output, sources: readonly Source[]): Promise<void> {
  await printRows(
    out,
    sources,
    [
      { head: 'source', cell: (source) => source.name },
      { head: 'kind', cell: (source) => source.kind },
      { head: 'state', cell: (source) => [source.state, toneOf(source.state)] },
      { head: 'since', cell: (source) => ago(source.since, out.now()) },
      { head: 'last good', cell: (source) => ago(source.lastGoodAt, out.now()) },
      { head: 'objects', align: 'right', cell: (source) => source.objects },
      { head: 'detail', cell: (source) => source.detail ?? source.waiting },
    ],
    'no source is configured',
  );
  if (out.isJson) return;
  for (const source of sources)
    for (const fault of source.problems)
      await out.line(
        `${source.name} ${fault.file}:${fault.line} ${fault.path}: ${fault.reason}`,
        toneOf(fault.severity === 'warning' ? 'warning' : 'failed'),
      );
}

import type { Status } from '@setkeeper/api';
import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import type { Output } from '../output/output.ts';
import { type Tone, toneOf } from '../output/tone.ts';
import { runSentence } from '../runs/print-run.ts';

/** `status`: health on one page, its first line one sentence. */
export const addStatus: AddCommand = (program, cli) => {
  program
    .command('status')
    .description('health on one page; the first line is one sentence')
    .action(
      cli.asking(async ({ api, out }) => {
        const status = await api.status.get.query();
        if (out.isJson) await out.json(status);
        else await printStatus(out, status);
        return undefined;
      }),
    );
};

async function printStatus(out: Output, status: Status): Promise<void> {
  const { sets, members, pending, kernel } = status;
  await out.line(status.sentence, status.ok ? 'good' : 'bad');
  await out.line('');
  await out.facts([
    [
      'agent',
      `${status.host}, version ${status.version}, mode ${status.mode}, up since ${ago(status.startedAt, out.now())}`,
    ],
    ['sets', setCounts(sets)],
    ['members', `${members.inet} inet, ${members.inet6} inet6`],
    ['pending', `+${pending.adds} -${pending.dels} in ${pending.sets} sets`],
    ...(['held', 'holds', 'overrides', 'leftovers', 'leaks'] as const).map((word): [string, string, Tone] => [
      word,
      String(status[word]),
      status[word] > 0 && word !== 'overrides' ? 'warn' : 'plain',
    ]),
    ['last run', status.lastRun === null ? 'none' : runSentence(status.lastRun)],
    ['kernel read', ago(status.readAt, out.now())],
    [
      'ipset',
      `${kernel.ipset ?? 'not found'}, protocol ${kernel.protocol ?? '-'}, namespace ${kernel.namespace}, types ${kernel.types.join(' ')}`,
    ],
  ]);
  if (status.sources.length > 0) {
    await out.line('');
    await out.table(
      [
        { head: 'source', cell: (source) => source.name },
        { head: 'kind', cell: (source) => source.kind },
        { head: 'state', cell: (source) => [source.state, toneOf(source.state)] },
        { head: 'since', cell: (source) => ago(source.since, out.now()) },
        { head: 'objects', align: 'right', cell: (source) => source.objects },
        {
          head: 'problems',
          align: 'right',
          cell: (source) => [String(source.problems.length), source.problems.length > 0 ? 'bad' : 'plain'],
        },
      ],
      status.sources,
    );
  }
  for (const problem of status.problems) {
    await out.line('');
    await out.line(
      `${problem.severity} ${problem.code} ${problem.subject}, since ${ago(problem.since, out.now())}`,
      toneOf(problem.severity),
    );
    await out.line(`  ${problem.message}`);
    if (problem.consequence !== undefined) await out.line(`  ${problem.consequence}`);
    await out.line(`  remedy: ${problem.remedy}`);
  }
}

function setCounts(sets: Status['sets']): string {
  const words = (['dirty', 'drifted', 'failed', 'unknown', 'unused'] as const)
    .filter((word) => sets[word] > 0)
    .map((word) => `${sets[word]} ${word}`);
  return [`${sets.total} in all`, `${sets.live} live`, `${sets.inSync} in-sync`, ...words].join(', ');
}

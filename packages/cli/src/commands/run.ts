import type { LineOutcome } from '@setkeeper/api';
import { Option } from 'commander';
import type { AddCommand, AgentTools } from '../cli.ts';
import { everyRow } from '../client/pages.ts';
import { type Tone, toneOf } from '../output/tone.ts';
import { runSentence, runTone } from '../runs/print-run.ts';

interface RunOptions {
  readonly lines?: 'all' | 'bad';
}

/** More lines than a script on the wire may have: then it is put together from its outcomes. */
const scriptLimit = 2_000_000;

/** `run ID`: one run with its script and what became of each line. */
export const addRun: AddCommand = (program, cli) => {
  program
    .command('run')
    .description('one run: its script, and what became of each line')
    .argument('<run>', 'the id of a run')
    .addOption(
      new Option('--lines <which>', 'all lines, or bad ones only (plain: bad; --json: all)').choices(['all', 'bad']),
    )
    .action(
      cli.asking(async (tools, id: string, { lines }: RunOptions) => {
        const { api, out } = tools;
        const only = lines ?? (out.isJson ? 'all' : 'bad');
        const run = await api.runs.get.query({ id, scriptLimit: out.isJson ? scriptLimit : 0 });
        const outcomes = await outcomesOf(tools, id, only);
        if (out.isJson) {
          const script =
            run.scriptTruncated && only === 'all' ? outcomes.map((o) => `${o.text}\n`).join('') : run.script;
          await out.json({ ...run, script, scriptTruncated: script === run.script && run.scriptTruncated, outcomes });
          return undefined;
        }
        await out.line(runSentence(run), runTone(run));
        await out.facts([
          ['cause', run.causeDetail === undefined ? run.cause : `${run.cause}: ${run.causeDetail}`],
          ['actor', run.reason === undefined ? run.actor : `${run.actor}: ${run.reason}`],
          ['at', run.at],
          ['attempts', String(run.attempts)],
          ['digest', run.digest],
        ]);
        if (run.error !== undefined) await out.line(`${run.error.code}: ${run.error.message}`, 'bad');
        for (const failure of run.failures) {
          await out.line(
            `${failure.count} × ${failure.code} in ${failure.set}, first in line ${failure.firstLine}: ${failure.message}`,
            'bad',
          );
          await out.line(`  remedy: ${failure.remedy}`);
        }
        await out.table(
          [
            { head: 'line', align: 'right', cell: (line) => line.line },
            { head: 'outcome', cell: (line): readonly [string, Tone] => [line.outcome, toneOf(line.outcome)] },
            { head: 'text', cell: (line) => line.text },
            { head: 'meant', cell: (line) => line.meaning },
            {
              head: 'why',
              cell: (line) =>
                line.because === undefined ? (line.message ?? line.code) : `because of line ${line.because}`,
            },
          ],
          outcomes,
        );
        for (const [set, found] of readBacks(outcomes)) await out.line(`read back ${set}: ${found}`);
        if (run.retryable > 0) await out.say(`${run.retryable} can be tried again: setkeeper retry ${id}`);
        return undefined;
      }),
    );
};

/** What was found in each set where a line was rejected: the same for all lines of a set. */
const readBacks = (outcomes: readonly LineOutcome[]): ReadonlyMap<string, string> =>
  new Map(outcomes.flatMap(({ set, readBack }) => (readBack === undefined ? [] : [[set, readBack] as const])));

const outcomesOf = ({ api }: AgentTools, id: string, only: 'all' | 'bad') =>
  everyRow((page) => api.runs.outcomes.query({ ...page, id, only }));

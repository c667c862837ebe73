import type { CleanupResult } from '@setkeeper/api';
import { collectArgument, countArgument } from '../arguments/count.ts';
import type { AddCommand, AgentTools } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';
import { holdersText } from './holder-columns.ts';

interface CleanupOptions {
  readonly name?: readonly string[];
  readonly dryRun?: true;
  readonly digest?: string;
  readonly confirm?: number;
  readonly reason?: string;
  readonly wait: boolean;
}

/** `cleanup`: destroys exactly the eligible leftovers that were named, confirmed by digest, or counted. Never a flush. */
export const addCleanup: AddCommand = (program, cli) => {
  program
    .command('cleanup')
    .description('destroy eligible leftovers; names, a digest or their count must be given')
    .option('--name <set>', 'this leftover; may be given several times', collectArgument)
    .option('--dry-run', 'only show what would be destroyed, and its digest')
    .option('--digest <digest>', 'what was shown by leftovers or --dry-run')
    .option('--confirm <count>', 'the number of eligible leftovers', countArgument(0))
    .option('--reason <text>', 'why; kept in the audit')
    .option('--no-wait', 'return at once')
    .action(
      cli.asking(async (tools, options: CleanupOptions) => {
        const { out, api } = tools;
        const names = [...(options.name ?? [])];
        const { digest, reason, wait } = options;
        if (options.dryRun === true) {
          await printCleanup(tools, await api.leftovers.cleanup.mutate({ names, digest, dryRun: true, wait }), true);
          return undefined;
        }
        const isConfirmed = names.length > 0 || digest !== undefined || options.confirm !== undefined;
        const confirm = isConfirmed ? options.confirm : await askForCount(tools);
        const result = await api.leftovers.cleanup.mutate({ names, digest, confirm, reason, wait });
        await printCleanup(tools, result, false);
        if (result.phase !== undefined && result.phase !== 'succeeded' && result.phase !== 'running')
          return ExitCode.incomplete;
        const wanted = new Set(names);
        const isKept = result.kept.some((kept) => wanted.has(kept.name));
        if (isKept) await out.say('some of the named sets were kept', 'warn');
        return isKept ? ExitCode.incomplete : ExitCode.done;
      }),
    );
};

/** On a terminal the number of sets is typed; without one it must have been given. */
async function askForCount({ api, out, world }: AgentTools): Promise<number> {
  const { items, digest } = await api.leftovers.list.query({});
  const eligible = items.filter((row) => row.eligible);
  const count = eligible.length;
  const refusal = new Failure(
    ExitCode.refused,
    `cleanup would destroy ${count} ${count === 1 ? 'set' : 'sets'} and was not confirmed`,
    {
      notes: [
        `remedy: say --confirm ${count}, --digest ${digest}, or --name for each set`,
        'code: confirmation-missing',
      ],
      code: 'confirmation-missing',
    },
  );
  if (!world.stdin.isTTY || !world.stderr.isTTY || out.isJson) throw refusal;
  for (const row of eligible) await out.say(`  ${row.name}  ${row.type}  ${row.entries ?? '?'} entries`);
  const answer = await world.stdin.question(
    `Destroy ${count === 1 ? 'this set' : `these ${count} sets`}? Type the number ${count} to confirm: `,
  );
  if (answer.trim() !== String(count)) throw refusal;
  return count;
}

async function printCleanup({ out }: AgentTools, result: CleanupResult, isDry: boolean): Promise<void> {
  if (out.isJson) {
    await out.json(result);
    return;
  }
  if (isDry) await out.artifact(result.script);
  else await out.lines(result.removed.map((name) => `removed ${name}`));
  for (const kept of result.kept)
    await out.line(`kept ${kept.name}: ${kept.reason}; holders: ${holdersText(kept.holders)}`, 'warn');
  const run = result.run === undefined ? '' : `, run ${result.run} ${result.phase ?? ''}`;
  await out.say(`${result.eligible} eligible, digest ${result.digest}${run}`);
}

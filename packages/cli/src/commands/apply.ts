import type { AddCommand, AgentTools } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { printRun } from '../runs/print-run.ts';

interface ApplyOptions {
  readonly digest?: string;
  readonly reason?: string;
  readonly wait: boolean;
}

/** `apply [GROUP...]`: sends now what is pending; with a digest exactly that. */
export const addApply: AddCommand = (program, cli) => {
  program
    .command('apply')
    .description('send now what is pending; with a digest exactly that')
    .argument('[groups...]', 'only these groups')
    .option('--digest <digest>', 'refuse if the plan is no longer the one with this digest')
    .option('--reason <text>', 'why; kept in the audit')
    .option('--no-wait', 'return at once')
    .action(
      cli.asking(async (tools, groups: string[], { digest, reason, wait }: ApplyOptions) => {
        const run = await tools.api.plan.apply.mutate({ groups, digest, reason });
        const exitCode = await printRun(tools, run, wait);
        return wait && exitCode === ExitCode.done && (await isHeld(tools, groups)) ? ExitCode.incomplete : exitCode;
      }),
    );
};

/** Whether the guard still holds removals of what was applied; says so. */
async function isHeld({ api, out }: AgentTools, groups: readonly string[]): Promise<boolean> {
  const held = (await api.held.list.query()).filter(
    (change) =>
      change.state === 'held' && (groups.length === 0 || change.sets.some((set) => groups.includes(set.group))),
  );
  for (const change of held)
    await out.say(
      `held: change ${change.id} still waits with ${change.removes} removals; setkeeper release ${change.id}`,
      'warn',
    );
  return held.length > 0;
}

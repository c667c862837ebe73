import type { AddCommand } from '../cli.ts';

interface RejectOptions {
  readonly digest?: string;
  readonly reason?: string;
}

/** `reject ID`: drops a held change until its source changes. */
export const addReject: AddCommand = (program, cli) => {
  program
    .command('reject')
    .description('drop a held change until its source changes')
    .argument('<id>', 'the id of a held change')
    .option('--digest <digest>', 'refuse if the change is no longer the one with this digest')
    .option('--reason <text>', 'why; kept in the audit')
    .action(
      cli.asking(async ({ api, out }, id: string, options: RejectOptions) => {
        const held = await api.held.reject.mutate({ id, ...options });
        if (out.isJson) await out.json(held);
        else
          await out.line(
            `change ${held.id} is rejected: its ${held.removes} removals stay out until ${held.source} changes`,
          );
        return undefined;
      }),
    );
};

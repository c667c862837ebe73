import type { AddCommand } from '../cli.ts';
import { printPin } from './pin.ts';

/** `unpin GROUP`: ends an operator's reference, or with `--referrer` an orphaned named one. */
export const addUnpin: AddCommand = (program, cli) => {
  program
    .command('unpin')
    .description("end an operator's reference")
    .argument('<group>', 'the group')
    .option('--referrer <name>', 'end this orphaned named reference instead')
    .action(
      cli.asking(async ({ api, out }, group: string, { referrer }: { referrer?: string }) => {
        await printPin(out, await api.pins.remove.mutate({ group, referrer }), 'unpinned');
        return undefined;
      }),
    );
};

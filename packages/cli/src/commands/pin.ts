import type { Pin } from '@setkeeper/api';
import type { AddCommand } from '../cli.ts';
import type { Output } from '../output/output.ts';

/** `pin GROUP --reason R`: an operator's reference, which keeps a group in the kernel. */
export const addPin: AddCommand = (program, cli) => {
  program
    .command('pin')
    .description("keep a group in the kernel by an operator's reference")
    .argument('<group>', 'the group')
    .requiredOption('--reason <text>', 'why; kept in the audit')
    .action(
      cli.asking(async ({ api, out }, group: string, { reason }: { reason: string }) => {
        await printPin(out, await api.pins.add.mutate({ group, reason }), 'pinned');
        return undefined;
      }),
    );
};

/** Prints a pin after what was done to it. */
export async function printPin(out: Output, pin: Pin, done: string): Promise<void> {
  if (out.isJson) await out.json(pin);
  else await out.line(`${pin.group} ${done}: ${pin.referrer}, by ${pin.by} at ${pin.at}: ${pin.reason}`);
}

import type { AddCommand } from '../cli.ts';
import { commandTree } from '../reference/command-tree.ts';
import { manPage } from '../reference/man-page.ts';

/** `manual` (hidden): the manual page in roff, for packages. The date is that of SOURCE_DATE_EPOCH where it is set, so that builds can be repeated. */
export const addManual: AddCommand = (program, cli) => {
  program.command('manual', { hidden: true }).action(
    cli.local(async ({ out, world }) => {
      const epoch = Number(world.env.SOURCE_DATE_EPOCH ?? Number.NaN);
      const date = new Date(Number.isNaN(epoch) ? world.now() : epoch * 1000).toISOString();
      await out.artifact(manPage(commandTree(program), { version: program.version() ?? '', date }));
      return undefined;
    }),
  );
};

import { Argument } from 'commander';
import type { AddCommand } from '../cli.ts';
import { commandTree } from '../reference/command-tree.ts';
import { completionScript, type Shell, shells } from '../reference/completion-script.ts';

/** `completion SHELL`: a script that completes commands and options. */
export const addCompletion: AddCommand = (program, cli) => {
  program
    .command('completion')
    .description('a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(shells))
    .action(
      cli.local(async ({ out }, shell: Shell) => {
        await out.artifact(completionScript(shell, commandTree(program)));
        return undefined;
      }),
    );
};

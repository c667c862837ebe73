import type { Command } from 'commander';

/** An option as help, man page and completions show it. */
export interface OptionEntry {
  readonly flags: string;
  readonly description: string;
  /** `--family`, without its value. */
  readonly long: string | undefined;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A command with its words: `override add`. */
export interface CommandEntry {
  readonly path: readonly string[];
  readonly usage: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionEntry[];
  readonly subcommands: readonly string[];
}

/** Every command of a program that is not hidden, depth first, the program itself with an empty path. */
export function commandTree(program: Command): readonly CommandEntry[] {
  const entries: CommandEntry[] = [];
  const walk = (command: Command, path: readonly string[]): void => {
    const help = command.createHelp();
    const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
    entries.push({
      path,
      usage: [program.name(), ...path, command.usage()].join(' '),
      description: command.description(),
      arguments: command.registeredArguments.map((one) => ({ name: one.name(), description: one.description })),
      options: help.visibleOptions(command).map((option) => ({
        flags: option.flags,
        description: option.description,
        long: option.long ?? undefined,
        takesValue: option.required || option.optional,
        choices: option.argChoices ?? [],
      })),
      subcommands: below.map((one) => one.name()),
    });
    for (const one of below) walk(one, [...path, one.name()]);
  };
  walk(program, []);
  return entries;
}

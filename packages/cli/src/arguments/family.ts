import { type Command, Option } from 'commander';

/** `--family inet|inet6`, with the words people also use for them. */
export const familyOption = (): Option =>
  new Option('--family <family>', 'inet (IPv4) or inet6 (IPv6)').choices(['inet', 'inet6']);

/** What `--family` holds. */
export interface FamilyOptions {
  readonly family?: 'inet' | 'inet6';
}

/** Adds the option to a command. */
export const withFamily = (command: Command): Command => command.addOption(familyOption());

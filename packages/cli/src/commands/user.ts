import { existsSync } from 'node:fs';
import type { Role } from '@setkeeper/api';
import { type Command, Option } from 'commander';
import type { AddCommand, Cli, Tools } from '../cli.ts';
import { agentTarget } from '../client/agent-target.ts';
import type { ExitCode } from '../exit-code.ts';
import { usageFailure } from '../failure.ts';
import { ago } from '../output/ago.ts';
import { type ToldUser, type UserDoor, userDoorOfGateway, userDoorOfStore } from '../users/user-door.ts';
import { printRows } from './print-list.ts';

interface StoreOptions {
  readonly config: string;
  readonly store?: string;
}

const role = (text: string): Option => new Option('--role <role>', text).choices(['viewer', 'operator', 'admin']);

/** `user add|list|role|disable|enable|reset-password`: the gateway's users, with `--url` and an admin's token, or as root on its host. */
export const addUser: AddCommand = (program, cli) => {
  const user = program.command('user').description("the gateway's users: with --url, or as root on its host");
  at(user.command('list').description('every user')).action(
    withDoor(cli, async (door, { out }) => {
      await printRows(
        out,
        await door.list(),
        [
          { head: 'name', cell: (row) => row.name },
          { head: 'role', cell: (row) => row.role },
          {
            head: 'state',
            cell: (row) =>
              row.disabled ? ['disabled', 'bad'] : row.mustChangePassword ? ['new password', 'warn'] : 'ok',
          },
          { head: 'last active', cell: (row) => ago(row.lastActiveAt, out.now()) },
          { head: 'sessions', align: 'right', cell: (row) => row.sessions },
          { head: 'tokens', align: 'right', cell: (row) => row.tokens },
        ],
        'there is no user',
      );
      return undefined;
    }),
  );
  at(
    user
      .command('add')
      .description('make a user; the password that is printed must be changed at the first sign-in')
      .argument('<name>', 'what is typed to sign in')
      .addOption(role('what the user may do').makeOptionMandatory()),
  ).action(
    withDoor(cli, async (door, tools, name: string, options: StoreOptions & { role: Role }) =>
      printUser(tools, await door.add({ name, role: options.role }), 'made'),
    ),
  );
  at(
    user
      .command('role')
      .description('give a user another role')
      .argument('<name>', 'the user')
      .addOption(role('the new role').makeOptionMandatory()),
  ).action(
    withDoor(cli, async (door, tools, name: string, options: StoreOptions & { role: Role }) =>
      printUser(tools, await door.change(name, { role: options.role }), 'changed'),
    ),
  );
  for (const [word, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const) {
    const description = disabled ? 'end a user: sessions and tokens at once' : 'let a disabled user in again';
    at(user.command(word).description(description).argument('<name>', 'the user')).action(
      withDoor(cli, async (door, tools, name: string) =>
        printUser(tools, await door.change(name, { disabled }), `${word}d`),
      ),
    );
  }
  at(
    user
      .command('reset-password')
      .description('make a new password, which must be changed at the first sign-in')
      .argument('<name>', 'the user'),
  ).action(
    withDoor(cli, async (door, tools, name: string) =>
      printUser(tools, await door.change(name, { resetPassword: true }), 'has a new password'),
    ),
  );
};

const at = (command: Command): Command =>
  command
    .option('--config <file>', 'without --url: the configuration of the gateway', '/etc/setkeeper/gateway.yaml')
    .option(
      '--store <file>',
      'without --url: the store of the gateway (default: $SETKEEPER_GATEWAY_STORE, else as its configuration says)',
    );

/** An action with a way to the users, which is closed after it. Commander gives the options after the arguments, and the command last. */
function withDoor<Args extends unknown[]>(
  cli: Cli,
  act: (door: UserDoor, tools: Tools, ...args: Args) => Promise<ExitCode | undefined>,
): (...args: Args) => Promise<void> {
  return cli.local(async (tools, ...args: Args) => {
    const options = args.at(-2) as StoreOptions;
    const door = await openDoor(tools, options);
    try {
      return await act(door, tools, ...args);
    } finally {
      door.close();
    }
  });
}

async function openDoor({ options, world }: Tools, { config, store }: StoreOptions): Promise<UserDoor> {
  if (options.url !== undefined) {
    const target = agentTarget(options, world.env);
    if (target.via === 'gateway') return userDoorOfGateway(target);
  }
  const file = store ?? world.env.SETKEEPER_GATEWAY_STORE ?? (await storeOf(config));
  if (!existsSync(file))
    throw usageFailure(`there is no store ${file}`, 'remedy: start the gateway once, or name it with --store');
  return userDoorOfStore(file, `root (${world.loginUser() ?? 'command line'})`);
}

async function storeOf(config: string): Promise<string> {
  const { ConfigError, loadGatewayConfig } = await import('@setkeeper/gateway');
  try {
    return loadGatewayConfig(config).store;
  } catch (error) {
    if (error instanceof ConfigError)
      throw usageFailure(error.message, 'remedy: name the store with --store, or the gateway with --url');
    throw error;
  }
}

async function printUser({ out }: Tools, user: ToldUser, done: string): Promise<undefined> {
  if (out.isJson) await out.json(user);
  else {
    await out.line(`${user.name} (${user.role}) ${done}`);
    if (user.password !== undefined) await out.line(`password: ${user.password}`);
  }
  return undefined;
}

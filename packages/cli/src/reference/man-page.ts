import type { CommandEntry } from './command-tree.ts';

const exitStatuses: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'done, but something failed, was rejected or is held'],
  ['2', 'usage, or a name that does not exist'],
  ['3', 'refused: stale digest, missing confirmation, blocked, unsafe'],
  ['4', 'no agent answers'],
  ['5', 'not permitted'],
];

const environment: readonly (readonly [name: string, meaning: string])[] = [
  ['SETKEEPER_SOCKET', "the agent's socket, where neither --socket nor --url is given"],
  ['SETKEEPER_GATEWAY_STORE', "the store of the gateway's users, for user without --url"],
  ['NO_COLOR', 'if not empty: no colours'],
];

/** The manual page setkeeper(1) in roff (man(7)), made from the commands. `date`: ISO-8601, for the footer. */
export function manPage(tree: readonly CommandEntry[], o: { readonly version: string; readonly date: string }): string {
  const [program, ...commands] = tree;
  const lines = [
    `.TH SETKEEPER 1 ${word(o.date.slice(0, 10))} ${word(`Setkeeper ${o.version}`)} ${word('Setkeeper')}`,
    '.SH NAME',
    `setkeeper \\- ${roff(lowerFirst(program?.description ?? ''))}`,
    '.SH SYNOPSIS',
    '.B setkeeper',
    '[\\fIOPTION\\fR...] \\fICOMMAND\\fR [\\fIARGUMENT\\fR...]',
    '.SH DESCRIPTION',
    roff(
      'Asks the agent of a host, over its socket or through a gateway. Data goes to standard output, talk to standard error. With --json one JSON value is printed; lists are never paged.',
    ),
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...commands.flatMap((entry) => [
      `.SS ${word(entry.usage.replace(/^setkeeper /u, ''))}`,
      `${roff(upperFirst(entry.description))}.`,
      ...entry.arguments
        .filter(({ description }) => description !== '')
        .flatMap(({ name, description }) => ['.TP', `\\fI${roff(name)}\\fR`, roff(description)]),
      ...optionsOf({ ...entry, options: entry.options.filter(({ long }) => long !== '--help') }),
    ]),
    '.SH EXIT STATUS',
    ...exitStatuses.flatMap(([status, meaning]) => ['.TP', `\\fB${status}\\fR`, roff(meaning)]),
    roff(
      'Commands that only read exit 0 whatever they show; check (0 to 3), wait, validate, plan --model and audit --verify are the exceptions.',
    ),
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, meaning]) => ['.TP', `\\fB${name}\\fR`, roff(meaning)]),
    '.SH FILES',
    ...['.TP', '\\fI/run/setkeeper/admin.sock\\fR', roff("the agent's socket for root")],
    ...['.TP', '\\fI/etc/setkeeper/agent.yaml\\fR, \\fI/etc/setkeeper/gateway.yaml\\fR', roff('the configuration')],
    '.SH SEE ALSO',
    '.BR ipset (8)',
  ];
  return `${lines.join('\n')}\n`;
}

const optionsOf = (entry: CommandEntry | undefined): string[] =>
  entry?.options.flatMap(({ flags, description }) => ['.TP', `\\fB${roff(flags)}\\fR`, roff(description)]) ?? [];

/** Text as roff shows it: no line of it is a request, and a minus is a minus. */
function roff(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/u.test(escaped) ? `\\&${escaped}` : escaped;
}

const word = (text: string): string => `"${roff(text).replaceAll('"', '\\(dq')}"`;
const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

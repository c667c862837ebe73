import type { Held } from '@setkeeper/api';
import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import type { Output } from '../output/output.ts';

/** Lines of one kind that are shown of a change; `--json` has all of them. */
const LINES_MAX = 10;
const FILES_MAX = 3;

/** `held`: what the guard stopped. */
export const addHeld: AddCommand = (program, cli) => {
  program
    .command('held')
    .description('changes that the guard stopped: additions are in, removals wait')
    .action(
      cli.asking(async ({ api, out }) => {
        const held = await api.held.list.query();
        if (out.isJson) await out.json(held);
        else if (held.length === 0) await out.say('nothing is held');
        else for (const [index, change] of held.entries()) await printChange(out, change, index > 0);
        return undefined;
      }),
    );
};

/** One change as a block of lines: what it is, why it waits, what it takes, what to do. */
async function printChange(out: Output, change: Held, hasOneBefore: boolean): Promise<void> {
  if (hasOneBefore) await out.line('');
  const { id, state, removes, objects } = change;
  await out.line(
    state === 'held'
      ? `${id} is held: ${count(removes, 'member')} would leave`
      : `${id} is rejected: ${count(removes, 'member')} stay until the source changes`,
    'warn',
  );
  const files = change.files.slice(0, FILES_MAX).join(', ') + more(change.files.length - FILES_MAX, 'file');
  await out.facts([
    ['  since', `${ago(change.at, out.now())} (${change.at})`],
    ['  source', `${change.source}: ${count(objects, 'object')}${files === '' ? '' : ` in ${files}`}`],
    ...(change.commit === undefined ? [] : [['  commit', change.commit] as const]),
    ['  digest', change.digest],
  ]);
  await printLines(out, 'why', change.why);
  const sets = change.sets
    .toSorted((a, b) => b.removes - a.removes)
    .map((set) => {
      const adds = set.adds === 0 ? '' : `, +${set.adds}`;
      return `${set.group}${set.family === null ? '' : ` ${set.family}`}: -${set.removes} of ${set.of}${adds}`;
    });
  await printLines(out, 'sets', sets);
  if (state === 'held') await out.say(`  setkeeper release ${id}, or setkeeper reject ${id}`);
}

async function printLines(out: Output, title: string, lines: readonly string[]): Promise<void> {
  await out.line(`  ${title}`);
  for (const line of lines.slice(0, LINES_MAX)) await out.line(`    ${line}`);
  const rest = lines.length - LINES_MAX;
  if (rest > 0) await out.line(`    and ${rest} more`);
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
const more = (rest: number, thing: string): string => (rest > 0 ? ` and ${count(rest, `more ${thing}`)}` : '');

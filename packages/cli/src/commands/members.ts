import type { MemberRow, Owner } from '@setkeeper/api';
import { Option } from 'commander';
import { type FamilyOptions, withFamily } from '../arguments/family.ts';
import type { AddCommand } from '../cli.ts';
import { pages } from '../client/pages.ts';

interface MembersOptions extends FamilyOptions {
  readonly owners?: true;
  readonly state?: (typeof states)[number];
}

const states = ['all', 'programmed', 'pending-add', 'pending-del', 'parked', 'over-capacity'] as const;

/** `members GROUP`: members by address, IPv4 first; never held whole, so a million rows cost no memory. */
export const addMembers: AddCommand = (program, cli) => {
  withFamily(
    program
      .command('members')
      .description('members of a group, sorted by address; IPv4 first')
      .argument('<group>', 'tag:web, port:web/http, net:corp, list:trusted, hosts:all'),
  )
    .option('--owners', 'say why each member is there')
    .addOption(new Option('--state <state>', 'only members in this state; all: those to leave, too').choices(states))
    .action(
      cli.asking(async ({ api, out }, group: string, options: MembersOptions) => {
        const { family, state } = options;
        const withOwners = out.isJson || options.owners === true;
        const rows = pages((page) => api.sets.members.query({ ...page, group, family, state, owners: withOwners }));
        if (out.isJson) {
          await out.jsonArray(rows);
          return undefined;
        }
        const elsewhere = new Map<MemberRow['state'], number>();
        for await (const page of rows) {
          for (const row of page)
            if (row.state !== 'programmed') elsewhere.set(row.state, (elsewhere.get(row.state) ?? 0) + 1);
          if (options.owners === true) await out.fields(page.map(withReasons));
          else await out.lines(page.map((row) => row.member));
        }
        if (state === undefined)
          for (const [which, count] of elsewhere) await out.say(`${count} of these are ${which}`, 'warn');
        return undefined;
      }),
    );
};

function withReasons(row: MemberRow): string[] {
  const owners = row.owners.length === 0 ? 'no owner' : row.owners.map(ownerText).join('; ');
  return [row.member, row.state, row.since ?? '-', owners];
}

/** An owner in words: `node-a/x through web (directory web.yaml)`. */
export function ownerText(owner: Owner): string {
  const what =
    owner.override !== undefined
      ? `override ${owner.override}`
      : owner.endpoint !== undefined
        ? `${owner.endpoint}${owner.profile === undefined ? '' : ` through profile ${owner.profile}`}`
        : (owner.object ?? owner.source);
  return `${what} (${owner.file === undefined ? owner.source : `${owner.source} ${owner.file}`})`;
}

import type { AddCommand } from '../cli.ts';
import { ago } from '../output/ago.ts';
import { ownerText } from './members.ts';

/** `explain ADDRESS [GROUP]`: why an address is in which sets of the host, or not. */
export const addExplain: AddCommand = (program, cli) => {
  program
    .command('explain')
    .description('why an address is in which sets of the host, since when, or why not')
    .argument('<address>', 'an IPv4 or IPv6 address')
    .argument('[group]', 'only this group')
    .action(
      cli.asking(async ({ api, out }, address: string, group: string | undefined) => {
        const explanation = await api.explain.address.query({ address, group });
        if (out.isJson) {
          await out.json(explanation);
          return undefined;
        }
        for (const line of explanation.why) await out.line(line);
        for (const set of explanation.sets) {
          await out.line(set.verdict, set.matched ? 'strong' : 'plain');
          const facts: [string, string][] = [
            ['  since', set.since === null ? '-' : `${set.since} (${ago(set.since, out.now())})`],
            ['  event', set.event ?? '-'],
            ['  run', set.run === null ? '-' : `${set.run}${set.line === null ? '' : ` line ${set.line}`}`],
            ['  owners', set.owners.length === 0 ? 'none' : set.owners.map(ownerText).join('; ')],
            ['  used by', set.usedBy.length === 0 ? 'no rule found' : set.usedBy.join('; ')],
          ];
          await out.facts(set.foreign ? facts.filter(([name]) => name === '  used by') : facts);
        }
        for (const endpoint of explanation.endpoints)
          await out.line(
            `endpoint ${endpoint.id}${endpoint.active ? '' : ' (not active)'}: ${endpoint.groups.join(' ')}`,
          );
        for (const { name, why } of explanation.unreadable) await out.say(`${name} could not be read: ${why}`, 'warn');
        return undefined;
      }),
    );
};

import { FAMILIES, kernelName, parseGroupId } from '@setkeeper/ipset';
import type { AddCommand } from '../cli.ts';
import { usageFailure } from '../failure.ts';

/** `name GROUP`: a group's kernel names, without an agent. */
export const addName: AddCommand = (program, cli) => {
  program
    .command('name')
    .description('the kernel names of a group, without an agent')
    .argument('<group>', 'tag:web, port:web/http, net:corp, list:trusted, hosts:all')
    .option('--prefix <prefix>', 'the prefix of the agent, sets.prefix', 'sk-')
    .action(
      cli.local(async ({ out }, text: string, { prefix }: { prefix: string }) => {
        if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,7}$/u.test(prefix))
          throw usageFailure('a prefix is 1 to 8 of A-Z a-z 0-9 _ . - and starts with a letter or digit');
        const group = parseGroupId(text);
        if (!group.ok) throw usageFailure(`${text} is no group: ${group.reason}`);
        if (group.kind === 'list') {
          const name = kernelName(prefix, group.id, null);
          if (out.isJson) await out.json({ name });
          else await out.line(name);
          return undefined;
        }
        const names = FAMILIES.map((family) => [family, kernelName(prefix, group.id, family)] as const);
        if (out.isJson) await out.json(Object.fromEntries(names));
        else await out.fields(names);
        return undefined;
      }),
    );
};

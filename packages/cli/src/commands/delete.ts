import type { AddCommand } from '../cli.ts';
import { usageFailure } from '../failure.ts';

const kinds = {
  profile: 'profile',
  profiles: 'profile',
  endpoint: 'endpoint',
  endpoints: 'endpoint',
  network: 'network',
  networks: 'network',
  list: 'list',
  lists: 'list',
  host: 'host',
  hosts: 'host',
  references: 'references',
} as const;

/** `delete KIND ID`: deletes a declared object. */
export const addDelete: AddCommand = (program, cli) => {
  program
    .command('delete')
    .description('delete a declared object')
    .argument('<kind>', 'profile, endpoint, network, list, host or references')
    .argument('<id>', 'the id of the object')
    .option('--if-revision <n>', 'only if the declared source still has this revision', Number)
    .action(
      cli.asking(async ({ api, out }, word: string, id: string, { ifRevision }: { ifRevision?: number }) => {
        const kind = Object.hasOwn(kinds, word) ? kinds[word as keyof typeof kinds] : undefined;
        if (kind === undefined)
          throw usageFailure(
            `${word} is no kind of object`,
            'kinds: profile, endpoint, network, list, host, references',
          );
        const result = await api.model.delete.mutate({ kind, id, ifRevision });
        if (out.isJson) await out.json(result);
        else
          await out.line(`${result.changed === 0 ? 'nothing' : `${kind} ${id}`} deleted, revision ${result.revision}`);
        return undefined;
      }),
    );
};

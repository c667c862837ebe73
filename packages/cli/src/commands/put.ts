import { readFile } from 'node:fs/promises';
import type { AddCommand } from '../cli.ts';
import { usageFailure } from '../failure.ts';
import type { World } from '../world.ts';

interface PutOptions {
  readonly file: string;
  readonly ifRevision?: number;
}

/** `put -f FILE`: writes declared objects; all or nothing. */
export const addPut: AddCommand = (program, cli) => {
  program
    .command('put')
    .description('write declared objects from YAML or JSON documents; all or nothing')
    .requiredOption('-f, --file <file>', 'the documents; - is standard input')
    .option('--if-revision <n>', 'only if the declared source still has this revision', Number)
    .action(
      cli.asking(async ({ api, out, world }, { file, ifRevision }: PutOptions) => {
        const documents = await textOf(file, world);
        const result = await api.model.put.mutate({ documents, ifRevision });
        if (out.isJson) await out.json(result);
        else {
          for (const { kind, id } of result.objects) await out.line(`${kind} ${id}`);
          await out.say(`${result.changed} changed, ${result.unchanged} unchanged, revision ${result.revision}`);
          for (const fault of result.warnings)
            await out.say(`line ${fault.line} ${fault.path}: ${fault.reason}`, 'warn');
        }
        return undefined;
      }),
    );
};

/** The text of a file, or of standard input for `-`. */
export async function textOf(file: string, world: World): Promise<string> {
  if (file === '-') return world.stdin.read();
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw usageFailure(`${file} cannot be read: ${cause instanceof Error ? cause.message : 'unknown'}`);
  }
}

import { readFile } from 'node:fs/promises';
import type { AddCommand } from '../cli.ts';
import { usageFailure } from '../failure.ts';
import { documentText } from '../import/document-text.ts';
import { importedModel, type NotExpressed } from '../import/imported-model.ts';
import { savedSets } from '../import/saved-sets.ts';

/** `import FILE`: an `ipset save` file as model documents; what the model cannot say is reported, never dropped in silence. */
export const addImport: AddCommand = (program, cli) => {
  program
    .command('import')
    .description('turn an ipset save file into model documents on stdout, without an agent')
    .argument('<file>', 'output of ipset save; - is standard input')
    .action(
      cli.local(async ({ out, world }, file: string) => {
        const bytes = file === '-' ? Buffer.from(await world.stdin.read(), 'latin1') : await bytesOf(file);
        const { sets, anomalies } = savedSets(bytes);
        if (sets.length === 0) throw usageFailure(`${file} holds no set: it is not the output of ipset save`);
        const model = importedModel(sets);
        const unread = anomalies.map(
          (anomaly): NotExpressed => ({
            set: anomaly.set ?? '',
            type: '',
            what: `line ${anomaly.line}: ${anomaly.text}`,
            count: 1,
            reason: anomaly.kind,
          }),
        );
        const notExpressed = [...unread, ...model.notExpressed];
        const documents = documentText(model);
        if (out.isJson) {
          await out.json({ documents, sets: sets.length, groups: Object.fromEntries(model.groups), notExpressed });
          return undefined;
        }
        await out.artifact(documents);
        for (const { set, what, count, reason } of notExpressed)
          await out.say(
            `not expressed: ${set}${what === undefined ? '' : ` ${what}`}${count > 1 ? ` (${count} members)` : ''}: ${reason}`,
            'warn',
          );
        await out.say(`${sets.length} sets read, ${model.groups.size} expressed, ${notExpressed.length} remarks`);
        return undefined;
      }),
    );
};

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw usageFailure(`${file} cannot be read: ${cause instanceof Error ? cause.message : 'unknown'}`);
  }
}

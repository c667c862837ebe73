import { rename, rm, writeFile } from 'node:fs/promises';
import type { AddCommand } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';

/** `metrics`: Prometheus text; `--textfile F` writes it for a node exporter, whole or not at all. */
export const addMetrics: AddCommand = (program, cli) => {
  program
    .command('metrics')
    .description('metrics as Prometheus text')
    .option('--textfile <file>', 'write them to this file, atomically')
    .action(
      cli.asking(async ({ api, out }, { textfile }: { textfile?: string }) => {
        const { text } = await api.metrics.get.query();
        if (textfile !== undefined) await writeWhole(textfile, text);
        if (out.isJson) await out.json(textfile === undefined ? { text } : { file: textfile });
        else if (textfile === undefined) await out.artifact(text);
        return undefined;
      }),
    );
};

async function writeWhole(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o644 });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw new Failure(
      ExitCode.incomplete,
      `${file} was not written: ${cause instanceof Error ? cause.message : 'unknown'}`,
      { cause },
    );
  }
}

import { Option } from 'commander';
import type { AddCommand } from '../cli.ts';

interface ExportOptions {
  readonly format: 'yaml' | 'restore';
  readonly source?: string;
}

/** `export`: everything out again, as model documents or as restore input. */
export const addExport: AddCommand = (program, cli) => {
  program
    .command('export')
    .description('everything out again: the model as YAML, or the acknowledged sets as restore input')
    .addOption(new Option('--format <format>', 'yaml or restore').choices(['yaml', 'restore']).default('yaml'))
    .option('--source <name>', 'only what this source says')
    .action(
      cli.asking(async ({ api, out }, options: ExportOptions) => {
        const result = await api.model.export.query(options);
        if (out.isJson) await out.json({ format: options.format, ...result });
        else await out.artifact(result.text);
        return undefined;
      }),
    );
};

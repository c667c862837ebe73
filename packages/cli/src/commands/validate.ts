import { existsSync } from 'node:fs';
import type { AddCommand } from '../cli.ts';
import { ExitCode } from '../exit-code.ts';
import { usageFailure } from '../failure.ts';

/** `validate PATH`: faults of documents, without an agent, by the agent's own rules; exit 1 if there is one. */
export const addValidate: AddCommand = (program, cli) => {
  program
    .command('validate')
    .description('check model documents without an agent; exit 1 if one has a fault')
    .argument('<path>', 'a model directory, or one file')
    .action(
      cli.local(async ({ out }, path: string) => {
        if (!existsSync(path)) throw usageFailure(`there is no ${path}`);
        // Loaded only here: it brings the agent's model with it.
        const { validateDirectory } = await import('@setkeeper/agent');
        const { ok, faults, warnings, objects } = await validateDirectory(path);
        if (out.isJson) await out.json({ ok, faults, warnings, objects: objects.length });
        else {
          for (const { file, line, path: where, reason } of faults)
            await out.line(`${file}:${line}: ${where === '' ? '' : `${where}: `}${reason}`, 'bad');
          for (const { file, line, path: where, reason } of warnings)
            await out.say(`${file}:${line}: ${where}: warning: ${reason}`, 'warn');
          if (ok) await out.line(`${path} is good: ${objects.length} objects`, 'good');
          else
            await out.say(
              `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}; ${objects.length} objects are good`,
            );
        }
        return ok ? ExitCode.done : ExitCode.incomplete;
      }),
    );
};

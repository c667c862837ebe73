import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ExitCode } from '../exit-code.ts';
import { Failure } from '../failure.ts';

/**
 * Where the program of another package may lie, seen from this one: beside it (as packages install it), in its own
 * package's bundle (a built checkout), or as source (a checkout under development).
 */
function candidates(name: 'agent' | 'gateway', here: string): readonly string[] {
  const folders = [dirname(here), dirname(dirname(here)), dirname(dirname(dirname(here)))];
  return [
    join(dirname(here), `${name}.js`),
    ...folders.map((folder) => join(folder, '..', name, 'dist', `${name}.js`)),
    ...(here.endsWith('.ts') ? folders.map((folder) => join(folder, '..', name, 'src', 'entry', `${name}.ts`)) : []),
  ];
}

/**
 * Runs the agent or the gateway in this process, as if it had been started with these words; resolves when it has ended.
 * Throws Failure where it is not installed.
 */
export async function runSibling(name: 'agent' | 'gateway', words: readonly string[]): Promise<ExitCode> {
  const program = candidates(name, fileURLToPath(import.meta.url)).find((file) => existsSync(file));
  if (program === undefined)
    throw new Failure(ExitCode.refused, `the ${name} is not installed beside this program`, {
      notes: [`remedy: install it, or build it in a checkout (pnpm build)`],
    });
  process.argv = [process.execPath, program, ...words];
  await import(pathToFileURL(program).href);
  return Number(process.exitCode ?? 0) as ExitCode;
}

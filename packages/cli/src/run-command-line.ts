import { CommanderError } from 'commander';
import { ExitCode } from './exit-code.ts';
import { Failure } from './failure.ts';
import { harmless } from './output/harmless.ts';
import { createProgram } from './program.ts';
import type { World } from './world.ts';

/** Runs one command line (the words behind `setkeeper`) to its exit status. Throws only for bugs. */
export async function runCommandLine(words: readonly string[], world: World, version: string): Promise<number> {
  const { program, cli } = createProgram(world, version);
  try {
    await program.parseAsync([...words], { from: 'user' });
    return cli.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.done : ExitCode.usage;
    if (world.signal.aborted) return 130;
    if (!(error instanceof Failure)) throw error;
    await world.stderr.write(`setkeeper: ${harmless(error.message)}\n`);
    for (const note of error.notes) await world.stderr.write(`  ${harmless(note)}\n`);
    return error.exitCode;
  }
}

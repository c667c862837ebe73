/**
 * The part of `./start` that runs once the project is installed and built: see usage.txt. Everything that touches the
 * machine is below `run`; here are the command line, the two streams and the exit code.
 */
import { join } from 'node:path';
import { layoutOf } from './layout.ts';
import { formatLogLine } from './log-line.ts';
import { parseOptions } from './options.ts';
import { run } from './run.ts';
import { Sentence } from './sentence.ts';
import { listenForStop } from './stop-request.ts';

const stop = listenForStop();
const isColoured = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
// A reader that went away (`./start | head`) must not end the agent.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  const parsed = parseOptions(process.argv.slice(2));
  if (parsed.kind === 'wrong') throw new Sentence(parsed.sentence, 'Try: ./start --help', 2);
  await run(layoutOf(join(import.meta.dirname, '..', '..')), parsed.options, stop, {
    say: (sentence) => console.log(sentence === '' ? '' : `setkeeper: ${sentence}`),
    line: (speaker, line) => console.log(formatLogLine(line, { speaker, isColoured })),
  });
  process.exitCode = 0;
} catch (error) {
  if (error instanceof Sentence) {
    console.error(`setkeeper: ${error.message}\n           ${error.remedy}`);
    process.exitCode = error.exitCode;
  } else {
    console.error(error);
    process.exitCode = 1;
  }
}

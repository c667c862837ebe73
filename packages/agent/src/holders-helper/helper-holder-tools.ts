import { connect } from 'node:net';
import type { HolderQuestion } from '../holders/holder-question.ts';
import type { HolderTools, ToolAnswer } from '../holders/holder-tools.ts';
import { FRAME, FrameReader, parseAnswer } from './holder-wire.ts';

/** A little more than the helper gives a tool. */
const TIMEOUT_MS = 70_000;

/**
 * Asks the holders helper, which may read more than the agent; where nobody listens on its socket, `own` is asked, and
 * says what it may not see. A helper that ends in the middle is a tool that failed. Never rejects.
 */
export function helperHolderTools(socketPath: string, own: HolderTools): HolderTools {
  return {
    ask: async (question, onStdout) =>
      (await askHelper(socketPath, question, onStdout)) ?? (await own.ask(question, onStdout)),
  };
}

/** Null: nobody is there to be asked. */
function askHelper(
  path: string,
  question: HolderQuestion,
  onStdout: (chunk: Uint8Array) => void,
): Promise<ToolAnswer | null> {
  return new Promise((resolve) => {
    let isConnected = false;
    const socket = connect(path);
    const frames = new FrameReader((kind, payload) => {
      if (kind === FRAME.output) onStdout(payload);
      else if (kind === FRAME.answer) settle(parseAnswer(payload) ?? failed('it answered in another language'));
    });
    const settle = (answer: ToolAnswer | null): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(TIMEOUT_MS, () => settle(failed('it did not answer in time')));
    socket.once('connect', () => {
      isConnected = true;
      socket.write(`${JSON.stringify(question)}\n`);
    });
    socket.on('data', (chunk) => {
      try {
        frames.push(chunk);
      } catch (error) {
        settle(failed(error instanceof Error ? error.message : String(error)));
      }
    });
    socket.once('error', (error) => settle(isConnected ? failed(error.message) : null));
    socket.once('close', () => settle(failed('it ended before it had answered')));
  });
}

const failed = (why: string): ToolAnswer => ({
  kind: 'ran',
  exit: { exitCode: null, signal: null, spawnError: `the holders helper failed: ${why}` },
  stderr: '',
});

import { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock.ts';
import type { ParsedObject } from '../../model/parse-documents.ts';
import { NO_SIGNATURE } from './file-signature.ts';
import type { ModelParser } from './model-parser.ts';
import { type ParsedFile, unreadableFile } from './parsed-file.ts';
import type { ParseAnswer, ParseRequest } from './parser-protocol.ts';

/** How the parser thread is run. */
export interface WorkerParserOptions {
  /** The thread's program: `entry/model-worker.ts`, or its bundle. */
  readonly program: URL;
  readonly clock: Clock;
  /** A file may take this long, and `msPerMiB` more for each MiB. Default 20 s and 10 s. */
  readonly baseMs?: number;
  readonly msPerMiB?: number;
  /** Heap of the thread in MiB. Default 1,536. */
  readonly heapMiBMax?: number;
  /** The thread ends after so long without work, and its memory with it. Default 10 s. */
  readonly idleMs?: number;
}

/**
 * Parses in a thread of its own, one file after the other. A thread that takes too long, or too much memory, is ended and
 * its file is a fault; the next file gets a new thread.
 */
export function createWorkerParser(options: WorkerParserOptions): ModelParser {
  const { clock, baseMs = 20_000, msPerMiB = 10_000, idleMs = 10_000 } = options;
  let worker: Worker | null = null;
  let cancelIdle = () => {};
  let last: Promise<unknown> = Promise.resolve();

  const parseNow = async (request: FirstRequest, bytes: number): Promise<ParsedFile> => {
    cancelIdle();
    worker ??= startWorker(options);
    const used = worker;
    const limitMs = baseMs + (bytes / 1_048_576) * msPerMiB;
    const result = await exchange(used, request, clock, limitMs);
    if (typeof result !== 'string') {
      cancelIdle = clock.after(idleMs, () => {
        if (worker === used) worker = null;
        void used.terminate();
      });
      return result;
    }
    if (worker === used) worker = null;
    await used.terminate();
    return unreadableFile(request.path, result);
  };

  const inTurn = (request: FirstRequest, bytes: number): Promise<ParsedFile> => {
    const next = last.then(() => parseNow(request, bytes));
    last = next;
    return next;
  };

  return {
    parse: (realRoot, path, bytes) => inTurn({ kind: 'file', realRoot, path }, bytes),
    parseText: (text, file) => inTurn({ kind: 'text', text, path: file }, text.length),
    close: async () => {
      cancelIdle();
      const ended = worker;
      worker = null;
      await ended?.terminate();
      await last;
    },
  };
}

function startWorker({ program, heapMiBMax = 1_536 }: WorkerParserOptions): Worker {
  const worker = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: heapMiBMax } });
  worker.unref();
  // A thread that fails while it is being ended must not take the agent with it.
  worker.on('error', () => {});
  return worker;
}

type FirstRequest = Exclude<ParseRequest, { kind: 'next' }>;

/** One file: its content, or the reason why the thread must be given up. */
function exchange(worker: Worker, request: FirstRequest, clock: Clock, limitMs: number): Promise<ParsedFile | string> {
  return new Promise((resolve) => {
    const objects: ParsedObject[] = [];
    const finish = (result: ParsedFile | string) => {
      cancelLimit();
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(result);
    };
    const onMessage = (answer: ParseAnswer) => {
      if (answer.kind === 'end') {
        finish({ signature: NO_SIGNATURE, lists: [], ...answer.rest, objects });
        return;
      }
      for (const object of answer.objects) objects.push(object);
      ask(worker, { kind: 'next' });
    };
    const onError = (error: unknown) => finish(workerFault(error));
    const onExit = () => finish('could not be read: the parser thread ended');
    const cancelLimit = clock.after(limitMs, () => {
      finish(`takes longer than ${Math.round(limitMs / 1000)} s to read; split it, or write it as JSON`);
    });
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    ask(worker, request);
  });
}

const ask = (worker: Worker, request: ParseRequest): void => worker.postMessage(request);

function workerFault(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'takes too much memory to read; split it, or write it as JSON';
  return `could not be read: ${error instanceof Error ? error.message : String(error)}`;
}

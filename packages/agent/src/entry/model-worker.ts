import { parentPort } from 'node:worker_threads';
import { readModelFile } from '../sources/directory/parsed-file.ts';
import type { ParseAnswer, ParseRequest } from '../sources/directory/parser-protocol.ts';

const OBJECTS_A_MESSAGE = 2_000;

/** The parser thread: reads one model file a request and answers in pieces. */
parentPort?.on('message', ({ realRoot, path }: ParseRequest) => {
  const { objects, ...file } = readModelFile(realRoot, path);
  const answer = (piece: ParseAnswer) => parentPort?.postMessage(piece);
  for (let at = 0; at < objects.length; at += OBJECTS_A_MESSAGE) {
    answer({ kind: 'objects', objects: objects.slice(at, at + OBJECTS_A_MESSAGE) });
  }
  answer({ kind: 'end', file });
});

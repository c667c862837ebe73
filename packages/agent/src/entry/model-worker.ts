import { parentPort } from 'node:worker_threads';
import { parseGivenText } from '../sources/directory/given-text.ts';
import { readModelFile } from '../sources/directory/parsed-file.ts';
import type { ParseAnswer, ParseRequest } from '../sources/directory/parser-protocol.ts';

const OBJECTS_A_MESSAGE = 2_000;

/** The parser thread: reads what a request names and answers in pieces. */
parentPort?.on('message', (request: ParseRequest) => {
  const { objects, ...rest } =
    request.kind === 'file'
      ? readModelFile(request.realRoot, request.path)
      : parseGivenText(request.text, request.path);
  const answer = (piece: ParseAnswer) => parentPort?.postMessage(piece);
  for (let at = 0; at < objects.length; at += OBJECTS_A_MESSAGE) {
    answer({ kind: 'objects', objects: objects.slice(at, at + OBJECTS_A_MESSAGE) });
  }
  answer({ kind: 'end', rest });
});

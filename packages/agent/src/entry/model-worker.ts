import { parentPort } from 'node:worker_threads';
import { parseGivenText } from '../sources/directory/given-text.ts';
import { readModelFile } from '../sources/directory/parsed-file.ts';
import type { ParseAnswer, ParseRequest } from '../sources/directory/parser-protocol.ts';

const OBJECTS_A_MESSAGE = 2_000;

/** The parser thread: reads what a request names, and answers a piece each time it is asked for the next one. */
let pieces: Iterator<ParseAnswer> = [].values();

function* piecesOf(request: Exclude<ParseRequest, { kind: 'next' }>): Generator<ParseAnswer> {
  const { objects, ...rest } =
    request.kind === 'file'
      ? readModelFile(request.realRoot, request.path)
      : parseGivenText(request.text, request.path);
  for (let at = 0; at < objects.length; at += OBJECTS_A_MESSAGE) {
    yield { kind: 'objects', objects: objects.slice(at, at + OBJECTS_A_MESSAGE) };
  }
  yield { kind: 'end', rest };
}

parentPort?.on('message', (request: ParseRequest) => {
  if (request.kind !== 'next') pieces = piecesOf(request);
  const piece = pieces.next();
  if (piece.done !== true) parentPort?.postMessage(piece.value);
});

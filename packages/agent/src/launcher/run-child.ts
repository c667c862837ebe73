import type { ChildResult, LauncherChild, SpawnRequest } from './launcher-client.ts';

const STDOUT_MAX_BYTES = 64 * 1024 * 1024;
const STDERR_MAX_BYTES = 64 * 1024;
const INPUT_PIECE_CHARACTERS = 16 * 1024;

export interface RunRequest extends SpawnRequest {
  readonly input?: string;
  readonly stdoutMaxBytes?: number;
}

/** Runs a child to its end and collects what it says; `onStdout` and `onStderr`, if given, see it too. Never rejects. */
export async function runChild(
  spawn: (request: SpawnRequest) => LauncherChild,
  request: RunRequest,
): Promise<ChildResult> {
  const stdout = new Collector(request.stdoutMaxBytes ?? STDOUT_MAX_BYTES);
  const stderr = new Collector(STDERR_MAX_BYTES);
  const child = spawn({
    ...request,
    onStdout: (chunk) => {
      stdout.push(chunk);
      return request.onStdout?.(chunk);
    },
    onStderr: (chunk) => {
      stderr.push(chunk);
      return request.onStderr?.(chunk);
    },
  });
  await feed(child, request.input ?? '');
  const exit = await child.exit;
  return {
    ...exit,
    stdout: stdout.bytes(),
    stderr: Buffer.from(stderr.bytes()).toString('utf8'),
    truncated: stdout.isTruncated || stderr.isTruncated,
  };
}

async function feed(child: LauncherChild, input: string): Promise<void> {
  try {
    for (const piece of wholeLines(input)) await child.write(piece);
  } catch {
    // The child ended before it read everything; its exit says why.
  }
  child.end();
}

function* wholeLines(input: string): Generator<Uint8Array> {
  let start = 0;
  while (start < input.length) {
    const newline = input.indexOf('\n', Math.min(start + INPUT_PIECE_CHARACTERS, input.length - 1));
    const end = newline < 0 ? input.length : newline + 1;
    const text = input.slice(start, end);
    yield Buffer.from(text.endsWith('\n') ? text : `${text}\n`);
    start = end;
  }
}

/** Keeps the first `maxBytes`. */
class Collector {
  isTruncated = false;
  readonly #chunks: Uint8Array[] = [];
  readonly #maxBytes: number;
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    const room = this.#maxBytes - this.#size;
    if (chunk.byteLength > room) this.isTruncated = true;
    if (room <= 0) return;
    const kept = chunk.subarray(0, room);
    this.#chunks.push(kept);
    this.#size += kept.byteLength;
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

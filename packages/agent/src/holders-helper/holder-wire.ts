import { z } from 'zod';
import { type HolderQuestion, SAVE_TOOLS, TC_HOOKS } from '../holders/holder-question.ts';
import type { ToolAnswer } from '../holders/holder-tools.ts';

/**
 * What the agent and the holders helper say to each other: one question a connection, as a line of JSON; back come
 * frames (a byte of kind, four of length, big-endian, the payload): output of the tool as it comes, then the answer.
 */
export const FRAME = { output: 1, answer: 2 } as const;
/** The longest question: the name of an nft table is 255 bytes at most. */
export const QUESTION_BYTES_MAX = 4 * 1024;

const HEAD_BYTES = 5;
/** Larger than any chunk of a pipe and any answer; who says more is not the helper. */
const FRAME_BYTES_MAX = 1024 * 1024;

const Question = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('rules'), tool: z.enum(SAVE_TOOLS) }),
  z.strictObject({ ask: z.literal('nft-tables') }),
  z.strictObject({ ask: z.literal('nft-table'), family: z.string().max(16), table: z.string().max(512) }),
  z.strictObject({ ask: z.literal('tc-qdiscs') }),
  z.strictObject({ ask: z.literal('tc-filters'), device: z.string().max(16), hook: z.enum(TC_HOOKS) }),
]);

const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing') }),
  z.object({ kind: z.literal('not-needed') }),
  z.object({ kind: z.literal('hidden'), why: z.string() }),
  z.object({ kind: z.literal('unspeakable') }),
  z.object({
    kind: z.literal('ran'),
    exit: z.object({
      exitCode: z.number().nullable(),
      signal: z.string().nullable(),
      spawnError: z.string().exactOptional(),
      timedOut: z.literal(true).exactOptional(),
    }),
    stderr: z.string(),
  }),
]);

/** The question of a line, or undefined if it is none of the closed list. */
export function parseQuestion(line: string): HolderQuestion | undefined {
  return fromJson(Question, line);
}

/** The answer of a frame, or undefined if it is none. */
export function parseAnswer(payload: Uint8Array): ToolAnswer | undefined {
  return fromJson(Answer, Buffer.from(payload).toString('utf8'));
}

export function frame(kind: number, payload: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEAD_BYTES + payload.byteLength);
  bytes.writeUInt8(kind, 0);
  bytes.writeUInt32BE(payload.byteLength, 1);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

/** Puts frames together again, however the socket cuts them. */
export class FrameReader {
  readonly #onFrame: (kind: number, payload: Uint8Array) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onFrame: (kind: number, payload: Uint8Array) => void) {
    this.#onFrame = onFrame;
  }

  /** Throws a RangeError at a frame larger than any that the helper sends. */
  push(chunk: Uint8Array): void {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= HEAD_BYTES) {
      const length = this.#rest.readUInt32BE(1);
      if (length > FRAME_BYTES_MAX) throw new RangeError(`a frame of ${length} bytes`);
      if (this.#rest.length < HEAD_BYTES + length) return;
      const kind = this.#rest.readUInt8(0);
      const payload = this.#rest.subarray(HEAD_BYTES, HEAD_BYTES + length);
      this.#rest = this.#rest.subarray(HEAD_BYTES + length);
      this.#onFrame(kind, payload);
    }
  }
}

function fromJson<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    const result = schema.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    // Not JSON: as little an answer as JSON of another shape.
    return undefined;
  }
}

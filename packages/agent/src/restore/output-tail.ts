const HEAD_BYTES = 32 * 1024;
const TAIL_BYTES = 32 * 1024;

/** What a process says on standard error, bounded: the first and the last 32 KiB of a flood. */
export class OutputTail {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #dropped = 0;

  push(chunk: Uint8Array): void {
    const room = HEAD_BYTES - this.#head.byteLength;
    if (room > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, room)]);
    if (chunk.byteLength <= room) return;
    const joined = Buffer.concat([this.#tail, chunk.subarray(Math.max(room, 0))]);
    this.#tail = Buffer.from(joined.subarray(-TAIL_BYTES));
    this.#dropped += joined.byteLength - this.#tail.byteLength;
  }

  text(): string {
    const gap = this.#dropped === 0 ? '' : `\n[${this.#dropped} bytes left out]\n`;
    return `${this.#head.toString('utf8')}${gap}${this.#tail.toString('utf8')}`;
  }
}

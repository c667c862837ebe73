import { type Member, readIpv4 } from '@setkeeper/ipset';

/**
 * Elements that a reading saw, small enough to keep for a million: plain IPv4 ones as numbers (8 bytes each), the rest
 * as texts.
 */
export class SeenElements {
  readonly #texts = new Set<string>();
  readonly #chunks: Float64Array[] = [];
  #inChunk = CHUNK;
  #sorted: Float64Array | null = null;

  addText(element: Member): void {
    this.#texts.add(element);
  }

  addIpv4(address: number, prefixLength: number): void {
    if (this.#inChunk === CHUNK) {
      this.#chunks.push(new Float64Array(CHUNK));
      this.#inChunk = 0;
    }
    const chunk = this.#chunks[this.#chunks.length - 1];
    if (chunk !== undefined) chunk[this.#inChunk++] = pack(address, prefixLength);
  }

  /** O(log n); the first call sorts. To be asked only after the last add. */
  has(element: Member): boolean {
    if (this.#texts.has(element)) return true;
    const packed = packText(element);
    if (packed < 0) return false;
    const sorted = this.#sort();
    let low = 0;
    let high = sorted.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = sorted[middle] ?? 0;
      if (found === packed) return true;
      if (found < packed) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }

  #sort(): Float64Array {
    if (this.#sorted !== null) return this.#sorted;
    const length = this.#chunks.length === 0 ? 0 : (this.#chunks.length - 1) * CHUNK + this.#inChunk;
    const all = new Float64Array(length);
    for (const [i, chunk] of this.#chunks.entries()) {
      all.set(i === this.#chunks.length - 1 ? chunk.subarray(0, this.#inChunk) : chunk, i * CHUNK);
    }
    this.#chunks.length = 0;
    this.#sorted = all.sort();
    return this.#sorted;
  }
}

const CHUNK = 65_536;

const pack = (address: number, prefixLength: number): number => address * 64 + prefixLength;

function packText(element: string): number {
  const slash = element.indexOf('/');
  const address = readIpv4(element, 0, slash < 0 ? element.length : slash);
  if (address < 0) return -1;
  const prefixLength = slash < 0 ? 32 : Number(element.slice(slash + 1));
  return Number.isInteger(prefixLength) ? pack(address, prefixLength) : -1;
}

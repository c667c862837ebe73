/** By so many parts a table grows bit by bit: making a whole one for a million entries anew keeps the event loop busy for 80 ms. */
const PARTS_BITS = 6;

/**
 * A hash table from IPv4 address (unsigned 32-bit) to a number that is not 0: 8 bytes a slot, no object an entry. It
 * grows a part at a time, so no single change costs more than some milliseconds.
 */
export class Ipv4Table {
  readonly #parts = Array.from({ length: 1 << PARTS_BITS }, () => new Part());

  get size(): number {
    return this.#parts.reduce((sum, { size }) => sum + size, 0);
  }

  /** 0 for an address that is not there. */
  get(address: number): number {
    return this.#partOf(address).get(address);
  }

  set(address: number, value: number): void {
    this.#partOf(address).set(address, value);
  }

  delete(address: number): void {
    this.#partOf(address).delete(address);
  }

  /** By another hash than a part has its slots by, or each part would use few of them. */
  #partOf(address: number): Part {
    return this.#parts[Math.imul(address, 0x85ebca6b) >>> (32 - PARTS_BITS)] as Part;
  }
}

/** Open addressing, at most 0.6 full; deleting shifts back, so it never fills with tombstones. */
class Part {
  #keys = new Uint32Array(16);
  #values = new Int32Array(16);
  #shift = 28;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(address: number): number {
    return this.#values[this.#slot(address)] ?? 0;
  }

  set(address: number, value: number): void {
    let slot = this.#slot(address);
    if (this.#values[slot] === 0) {
      if ((this.#size + 1) * 5 > this.#keys.length * 3) {
        this.#grow();
        slot = this.#slot(address);
      }
      this.#size++;
    }
    this.#keys[slot] = address;
    this.#values[slot] = value;
  }

  delete(address: number): void {
    let hole = this.#slot(address);
    if (this.#values[hole] === 0) return;
    this.#size--;
    const mask = this.#keys.length - 1;
    for (let next = (hole + 1) & mask; this.#values[next] !== 0; next = (next + 1) & mask) {
      const home = this.#home(this.#keys[next] ?? 0);
      // An entry may fill the hole if the hole lies on its way from home.
      if (((next - home) & mask) < ((next - hole) & mask)) continue;
      this.#keys[hole] = this.#keys[next] ?? 0;
      this.#values[hole] = this.#values[next] ?? 0;
      hole = next;
    }
    this.#values[hole] = 0;
  }

  #home(address: number): number {
    return Math.imul(address, 0x9e3779b1) >>> this.#shift;
  }

  /** Where the address stands, or the empty slot where it would. */
  #slot(address: number): number {
    const mask = this.#keys.length - 1;
    let slot = this.#home(address);
    while (this.#values[slot] !== 0 && this.#keys[slot] !== address) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    this.#keys = new Uint32Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2);
    this.#shift--;
    for (let old = 0; old < keys.length; old++) {
      const value = values[old] ?? 0;
      if (value === 0) continue;
      const slot = this.#slot(keys[old] ?? 0);
      this.#keys[slot] = keys[old] ?? 0;
      this.#values[slot] = value;
    }
  }
}

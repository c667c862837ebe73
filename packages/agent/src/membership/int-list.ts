/** A growing list of 32-bit numbers without holes: removing moves the last one into the gap. */
export class IntList {
  #values = new Int32Array(4);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** Gives the index of the new value. */
  push(value: number): number {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length] = value;
    return this.#length++;
  }

  /** Gives the value that now stands at `index`, or -1 if the list ends there. */
  removeAt(index: number): number {
    this.#length--;
    if (index === this.#length) return -1;
    const moved = this.at(this.#length);
    this.#values[index] = moved;
    return moved;
  }
}

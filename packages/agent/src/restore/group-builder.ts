import type { SetName } from '@setkeeper/ipset';
import type { LineGroup, Service } from './line-group.ts';

/** Small enough that sending a group again costs nothing, large enough that its acknowledgement costs nothing. */
const LINES_MAX = 500;
const CHARACTERS_MAX = 24 * 1024;

/** Collects the lines of one group; the acknowledgement is its last. */
export class GroupBuilder {
  readonly #acknowledgement: SetName;
  readonly #from: number;
  readonly #lines: (number | Service)[] = [];
  #text = '';

  constructor(acknowledgement: SetName, from: number) {
    this.#acknowledgement = acknowledgement;
    this.#from = from;
  }

  get size(): number {
    return this.#lines.length;
  }

  get hasRoom(): boolean {
    return this.#lines.length < LINES_MAX && this.#text.length < CHARACTERS_MAX;
  }

  /** A line of the plan (from 0) and its text. */
  line(line: number, text: string): void {
    this.#lines.push(line);
    this.#text += `${text}\n`;
  }

  service(service: Service, text: string): void {
    this.#lines.push(service);
    this.#text += `${text}\n`;
  }

  build(to: number): LineGroup {
    this.service({ kind: 'acknowledge' }, `list -n ${this.#acknowledgement}`);
    return { text: this.#text, lines: this.#lines, from: this.#from, to };
  }
}

import type { ObjectKey } from '../model/objects.ts';
import { ShardedMap } from '../model/sharded-map.ts';
import type { EndpointClass } from './endpoint-class.ts';
import type { MemberToken } from './member-token.ts';

/**
 * The endpoints by number: key, class, source and addresses in columns. About 80 bytes an endpoint with one address, the
 * text of its key not counted.
 */
export class EndpointTable {
  readonly #numbers = new ShardedMap<ObjectKey, number>();
  readonly #keys: (ObjectKey | null)[] = [];
  readonly #classes: (EndpointClass | null)[] = [];
  /** One address as it is, several as a list: most endpoints have one. */
  readonly #addresses: (MemberToken | readonly MemberToken[] | null)[] = [];
  readonly #sources: string[] = [];
  #positions = new Int32Array(16);
  #sourceNumbers = new Uint16Array(16);
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
  }

  /** -1 for a key that is not there. */
  numberOf(key: ObjectKey): number {
    return this.#numbers.get(key) ?? -1;
  }

  add(key: ObjectKey, endpointClass: EndpointClass, addresses: readonly MemberToken[], source: string): number {
    const number = this.#free.pop() ?? this.#keys.length;
    this.#numbers.set(key, number);
    this.#keys[number] = key;
    this.#classes[number] = endpointClass;
    this.#addresses[number] = addresses.length === 1 ? (addresses[0] ?? null) : addresses;
    if (number >= this.#positions.length) this.#growColumns();
    this.#positions[number] = endpointClass.endpoints.push(number);
    this.setSource(number, source);
    return number;
  }

  remove(number: number): void {
    const key = this.#keys[number];
    const endpointClass = this.#classes[number];
    if (key == null || endpointClass == null) return;
    const position = this.#positions[number] ?? 0;
    const moved = endpointClass.endpoints.removeAt(position);
    if (moved >= 0) this.#positions[moved] = position;
    this.#numbers.delete(key);
    this.#keys[number] = null;
    this.#classes[number] = null;
    this.#addresses[number] = null;
    this.#free.push(number);
  }

  /** The endpoint is of another class from now on. */
  move(number: number, to: EndpointClass): void {
    const from = this.#classes[number];
    if (from == null) return;
    const position = this.#positions[number] ?? 0;
    const moved = from.endpoints.removeAt(position);
    if (moved >= 0) this.#positions[moved] = position;
    this.#classes[number] = to;
    this.#positions[number] = to.endpoints.push(number);
  }

  idOf(number: number): string {
    return (this.#keys[number] ?? '').slice('endpoint/'.length);
  }

  classOf(number: number): EndpointClass | null {
    return this.#classes[number] ?? null;
  }

  addressesOf(number: number): readonly MemberToken[] {
    const addresses = this.#addresses[number] ?? NOTHING;
    return typeof addresses === 'object' ? addresses : [addresses];
  }

  sourceOf(number: number): string {
    return this.#sources[this.#sourceNumbers[number] ?? 0] ?? '';
  }

  setSource(number: number, source: string): void {
    const known = this.#sources.indexOf(source);
    this.#sourceNumbers[number] = known < 0 ? this.#sources.push(source) - 1 : known;
  }

  #growColumns(): void {
    const positions = new Int32Array(this.#positions.length * 2);
    positions.set(this.#positions);
    this.#positions = positions;
    const sourceNumbers = new Uint16Array(positions.length);
    sourceNumbers.set(this.#sourceNumbers);
    this.#sourceNumbers = sourceNumbers;
  }
}

const NOTHING: readonly MemberToken[] = [];

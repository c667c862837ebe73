import type { Member } from '@setkeeper/ipset';
import { ShardedMap } from '../model/sharded-map.ts';
import { Ipv4Table } from './ipv4-table.ts';
import type { MemberToken } from './member-token.ts';

/**
 * Which endpoints (by number) have an address. Nearly every address has one, which costs no object; several share a small
 * list. In the tables, n + 1 is the endpoint n, and -n - 1 the list n.
 */
export class AddressOwners {
  readonly #ipv4 = new Ipv4Table();
  readonly #ipv6 = new ShardedMap<Member, number>();
  readonly #lists: number[][] = [];
  readonly #freeLists: number[] = [];

  /** The endpoint that alone has the address, -1 for none, -2 for several. */
  single(address: MemberToken): number {
    const entry = this.#get(address);
    if (entry > 0) return entry - 1;
    return entry === 0 ? -1 : -2;
  }

  /** Every endpoint with the address, in no order that means anything, but the same until the next change. */
  all(address: MemberToken): readonly number[] {
    const entry = this.#get(address);
    if (entry > 0) return [entry - 1];
    return entry === 0 ? NOBODY : (this.#lists[-entry - 1] ?? NOBODY);
  }

  /** The endpoint must not have the address yet. */
  add(address: MemberToken, endpoint: number): void {
    const entry = this.#get(address);
    if (entry === 0) {
      this.#set(address, endpoint + 1);
    } else if (entry > 0) {
      const list = this.#freeLists.pop() ?? this.#lists.length;
      this.#lists[list] = [entry - 1, endpoint];
      this.#set(address, -list - 1);
    } else {
      this.#lists[-entry - 1]?.push(endpoint);
    }
  }

  remove(address: MemberToken, endpoint: number): void {
    const entry = this.#get(address);
    if (entry === endpoint + 1) {
      this.#delete(address);
      return;
    }
    if (entry >= 0) return;
    const list = -entry - 1;
    const left = (this.#lists[list] ?? []).filter((each) => each !== endpoint);
    const [only] = left;
    if (left.length > 1 || only === undefined) {
      this.#lists[list] = left;
      return;
    }
    this.#lists[list] = [];
    this.#freeLists.push(list);
    this.#set(address, only + 1);
  }

  /** Addresses that somebody has. */
  get size(): number {
    return this.#ipv4.size + this.#ipv6.size;
  }

  #get(address: MemberToken): number {
    return typeof address === 'number' ? this.#ipv4.get(address) : (this.#ipv6.get(address) ?? 0);
  }

  #set(address: MemberToken, entry: number): void {
    if (typeof address === 'number') this.#ipv4.set(address, entry);
    else this.#ipv6.set(address, entry);
  }

  #delete(address: MemberToken): void {
    if (typeof address === 'number') this.#ipv4.delete(address);
    else this.#ipv6.delete(address);
  }
}

const NOBODY: readonly number[] = [];

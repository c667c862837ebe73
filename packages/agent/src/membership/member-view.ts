import type { Member } from '@setkeeper/ipset';
import { type MemberToken, memberOf } from './member-token.ts';

/**
 * A set of members over tokens that are all different: texts are made as somebody walks through them, so that a large
 * change costs its strings only where they are used.
 */
export class MemberView implements ReadonlySet<Member> {
  readonly #tokens: readonly MemberToken[];
  #texts: Set<Member> | null = null;

  constructor(tokens: readonly MemberToken[]) {
    this.#tokens = tokens;
  }

  get size(): number {
    return this.#tokens.length;
  }

  has(member: Member): boolean {
    return this.#set().has(member);
  }

  forEach(run: (value: Member, key: Member, set: ReadonlySet<Member>) => void): void {
    for (const member of this) run(member, member, this);
  }

  *values(): SetIterator<Member> {
    for (const token of this.#tokens) yield memberOf(token);
  }

  keys(): SetIterator<Member> {
    return this.values();
  }

  *entries(): SetIterator<[Member, Member]> {
    for (const member of this) yield [member, member];
  }

  [Symbol.iterator](): SetIterator<Member> {
    return this.values();
  }

  union<U>(other: ReadonlySetLike<U>): Set<Member | U> {
    return this.#set().union(other);
  }

  intersection<U>(other: ReadonlySetLike<U>): Set<Member & U> {
    return this.#set().intersection(other);
  }

  difference<U>(other: ReadonlySetLike<U>): Set<Member> {
    return this.#set().difference(other);
  }

  symmetricDifference<U>(other: ReadonlySetLike<U>): Set<Member | U> {
    return this.#set().symmetricDifference(other);
  }

  isSubsetOf(other: ReadonlySetLike<unknown>): boolean {
    return this.#set().isSubsetOf(other);
  }

  isSupersetOf(other: ReadonlySetLike<unknown>): boolean {
    return this.#set().isSupersetOf(other);
  }

  isDisjointFrom(other: ReadonlySetLike<unknown>): boolean {
    return this.#set().isDisjointFrom(other);
  }

  #set(): Set<Member> {
    this.#texts ??= new Set(this.#tokens.map(memberOf));
    return this.#texts;
  }
}

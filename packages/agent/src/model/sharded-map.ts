const SHARDS = 64;

/**
 * A map for millions of text keys that never stops the world: a plain Map copies itself whole when it grows (50 ms at a
 * million entries); this one is 64 of them, each of which copies a 64th.
 */
export class ShardedMap<K extends string, V> {
  readonly #shards: readonly Map<K, V>[] = Array.from({ length: SHARDS }, () => new Map());
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    return this.#shardOf(key).get(key);
  }

  has(key: K): boolean {
    return this.#shardOf(key).has(key);
  }

  set(key: K, value: V): void {
    const shard = this.#shardOf(key);
    const before = shard.size;
    shard.set(key, value);
    this.#size += shard.size - before;
  }

  delete(key: K): boolean {
    const isDeleted = this.#shardOf(key).delete(key);
    if (isDeleted) this.#size--;
    return isDeleted;
  }

  /** In no order. */
  *keys(): Generator<K> {
    for (const shard of this.#shards) yield* shard.keys();
  }

  /** In no order. */
  *values(): Generator<V> {
    for (const shard of this.#shards) yield* shard.values();
  }

  /** In no order. */
  *entries(): Generator<[K, V]> {
    for (const shard of this.#shards) yield* shard.entries();
  }

  /** How many keys each part holds. */
  shardSizes(): readonly number[] {
    return this.#shards.map(({ size }) => size);
  }

  /** By a few of the last characters: ids of one model differ there. */
  #shardOf(key: K): Map<K, V> {
    let hash = key.length;
    for (let at = Math.max(0, key.length - 12); at < key.length; at++) hash = Math.imul(hash, 31) + key.charCodeAt(at);
    return this.#shards[(hash ^ (hash >>> 6) ^ (hash >>> 12)) & (SHARDS - 1)] as Map<K, V>;
  }
}

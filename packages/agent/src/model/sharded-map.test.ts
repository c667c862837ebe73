import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShardedMap } from './sharded-map.ts';

describe('ShardedMap', () => {
  it('is a map, whatever comes and goes', () => {
    const step = fc.tuple(fc.string({ maxLength: 3 }), fc.option(fc.nat()));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const sharded = new ShardedMap<string, number>();
        const map = new Map<string, number>();
        for (const [key, value] of steps) {
          if (value === null) expect(sharded.delete(key)).toBe(map.delete(key));
          else map.set(key, value);
          if (value !== null) sharded.set(key, value);
        }
        expect(sharded.size).toBe(map.size);
        expect(new Map(sharded.entries())).toEqual(map);
        expect([...sharded.keys()].sort()).toEqual([...map.keys()].sort());
        expect([...sharded.values()].sort()).toEqual([...map.values()].sort());
        for (const [key] of steps) {
          expect(sharded.get(key)).toBe(map.get(key));
          expect(sharded.has(key)).toBe(map.has(key));
        }
      }),
    );
  });

  it('spreads ids that differ only in a number', () => {
    const sharded = new ShardedMap<string, number>();
    for (let i = 0; i < 64_000; i++) sharded.set(`endpoint/node-1/k8s/shop.pod-${i}/eth0`, i);
    expect(Math.max(...sharded.shardSizes())).toBeLessThan(2_000);
  });
});

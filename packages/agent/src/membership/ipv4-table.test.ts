import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ipv4Table } from './ipv4-table.ts';

describe('Ipv4Table', () => {
  it('is a map, whatever comes and goes', () => {
    const address = fc.oneof(
      fc.nat({ max: 40 }),
      fc.nat({ max: 0xffffffff }),
      fc.constantFrom(0, 0xffffffff, 0x80000000),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(address, fc.integer({ min: -3, max: 3 })), { maxLength: 4000, size: 'max' }),
        (steps) => {
          const table = new Ipv4Table();
          const map = new Map<number, number>();
          for (const [key, value] of steps) {
            if (value === 0) {
              table.delete(key);
              map.delete(key);
            } else {
              table.set(key, value);
              map.set(key, value);
            }
          }
          expect(table.size).toBe(map.size);
          for (const [key] of steps) expect(table.get(key)).toBe(map.get(key) ?? 0);
        },
      ),
      // Enough that every part grows and deletes from full neighbourhoods.
      { numRuns: 40 },
    );
  });
});

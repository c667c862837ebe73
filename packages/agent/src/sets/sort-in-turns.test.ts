import { type Member, sortMembers } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortInTurns } from './sort-in-turns.ts';

const never = () => null;
const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const flag = fc.constantFrom('', ' nomatch');
const network = fc.tuple(ipv4, fc.integer({ min: 1, max: 31 }), flag).map(([a, n, nomatch]) => `${a}/${n}${nomatch}`);

describe('sortInTurns', () => {
  it('gives the order of sortMembers, whatever the members are', async () => {
    const other = fc.constantFrom('2001:db8::1', '10.0.0.1,tcp:80', 'sk-v4-t.web');
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: ipv4 }, network, other)), async (texts) => {
        const members = texts as Member[];
        expect(await sortInTurns(members, never)).toEqual(sortMembers(members));
      }),
    );
  });

  it('merges many runs, and lets others have their turn', async () => {
    const members = Array.from({ length: 300_000 }, (_, i) => {
      const n = (i * 2_654_435_761) % 2 ** 32;
      return [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255].join('.') as Member;
    });
    let turns = 0;
    const sorted = await sortInTurns(members, () => {
      turns++;
      return null;
    });
    expect(sorted).toEqual(sortMembers(members));
    expect(turns).toBeGreaterThan(50);
  });
});

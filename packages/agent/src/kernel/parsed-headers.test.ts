import { describe, expect, it } from 'vitest';
import { ParsedHeaders } from './parsed-headers.ts';

const listing = (entries: number): Uint8Array =>
  Buffer.from(
    [
      'Name: sk-v4-t.web',
      'Type: hash:ip',
      'Revision: 6',
      'Header: family inet hashsize 1024 maxelem 65536 bucketsize 12 initval 0x2f2f2f2f',
      'Size in memory: 200',
      'References: 0',
      `Number of entries: ${entries}`,
      '',
    ].join('\n'),
  );

describe('ParsedHeaders', () => {
  it('gives the very same list while the text stays, however it is cut into chunks', async () => {
    const parsed = new ParsedHeaders();
    const text = listing(3);
    const first = await parsed.parse([text]);
    expect(first.sets.map(({ header, entries }) => [header.name, entries])).toEqual([['sk-v4-t.web', 3]]);
    expect(await parsed.parse([text.subarray(0, 20), text.subarray(20)])).toBe(first);
  });

  it('reads anew what changed, also back to what it was', async () => {
    const parsed = new ParsedHeaders();
    for (const entries of [3, 4, 3]) {
      const { sets } = await parsed.parse([listing(entries)]);
      expect(sets.map((set) => set.entries)).toEqual([entries]);
    }
  });
});

import { expect, it } from 'vitest';
import { countSets } from './expect-in-kernel.ts';

it('counts sets and members of names that begin so, and no others', () => {
  const listing = [
    ...['Name: sk-v4-t.a', 'Type: hash:ip', 'References: 0', 'Number of entries: 3', ''],
    ...['Name: other', 'Type: hash:ip', 'References: 0', 'Number of entries: 50', ''],
    ...['Name: sk-v4-t.b', 'Type: hash:ip', 'References: 7', 'Number of entries: 40', ''],
  ].join('\n');
  expect(countSets(listing, 'sk-v4-')).toEqual({ sets: 2, members: 43 });
  expect(countSets(listing, 'none')).toEqual({ sets: 0, members: 0 });
});

import { expect, it } from 'vitest';
import { nearestSets } from './nearest-sets.ts';

const sets = ['net:old-web', 'port:web/http', 'tag:web', 'tag:web-backend'].map((group) => ({ group }));

it('puts the group that is called so first, then those that begin so', () => {
  expect(nearestSets(sets, 'Web', 9).map(({ group }) => group)).toEqual([
    'tag:web',
    'port:web/http',
    'tag:web-backend',
    'net:old-web',
  ]);
});

it('takes a whole id too, and so many at most', () => {
  expect(nearestSets(sets, 'tag:web', 2).map(({ group }) => group)).toEqual(['tag:web', 'tag:web-backend']);
});

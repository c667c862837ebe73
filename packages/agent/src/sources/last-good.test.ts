import { describe, expect, it } from 'vitest';
import { objectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import { LastGood } from './last-good.ts';
import { createMemoryLastGood } from './memory-last-good.ts';

const record = (id: string, tag: string) =>
  new StoredRecord(objectKey('profile', id), JSON.stringify({ tags: [tag] }), { source: 's' });
const texts = (lastGood: LastGood) => Object.fromEntries(lastGood.load().map(({ key, text }) => [key, text]));

describe('LastGood', () => {
  it('stores a small generation in one transaction and a large one in several', async () => {
    const repository = createMemoryLastGood();
    const sizes: number[] = [];
    const counting = {
      ...repository,
      save: (
        source: string,
        upserts: Parameters<typeof repository.save>[1],
        deletes: Parameters<typeof repository.save>[2],
      ) => {
        sizes.push(upserts.length + deletes.length);
        repository.save(source, upserts, deletes);
      },
    };
    const lastGood = new LastGood(counting, 's');
    await lastGood.save([record('a', 'x'), record('b', 'x')], [], { at: 1 });
    expect(sizes).toEqual([2]);
    await lastGood.save(
      Array.from({ length: 5_500 }, (_, i) => record(`p${i}`, 'x')),
      [objectKey('profile', 'a')],
      { at: 2 },
    );
    expect(sizes.slice(1)).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 501]);
    expect(lastGood.load()).toHaveLength(5_501);
    expect(lastGood.facts()).toEqual({ at: 2 });
  });

  it('stores with the next generation what a full disk refused, the newest of each object', async () => {
    const repository = createMemoryLastGood();
    let isFull = true;
    const lastGood = new LastGood(
      {
        ...repository,
        save: (...args: Parameters<typeof repository.save>) => {
          if (isFull) throw new Error('database or disk is full');
          repository.save(...args);
        },
      },
      's',
    );
    await lastGood.save([record('a', 'x'), record('b', 'x')], [], { at: 1 });
    expect(lastGood.trouble).toMatch(/disk is full/);
    expect(lastGood.facts()).toBeNull();
    await lastGood.save([record('a', 'y')], [], { at: 2 });
    isFull = false;
    await lastGood.save([record('c', 'x')], [objectKey('profile', 'b')], { at: 3 });
    expect(lastGood.trouble).toBeNull();
    expect(texts(lastGood)).toEqual({ 'profile/a': '{"tags":["y"]}', 'profile/c': '{"tags":["x"]}' });
    expect(lastGood.facts()).toEqual({ at: 3 });
  });
});

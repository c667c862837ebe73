import { describe, expect, it } from 'vitest';
import { objectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import { LastGood } from './last-good.ts';
import { createMemoryLastGood } from './memory-last-good.ts';

const record = (id: string, tag: string) =>
  new StoredRecord(objectKey('profile', id), JSON.stringify({ tags: [tag] }), { source: 's' });
const atOnce = () => null;
const texts = async (lastGood: LastGood) =>
  Object.fromEntries((await lastGood.load(atOnce)).map(({ key, text }) => [key, text]));

describe('LastGood', () => {
  it('stores a small generation in one transaction, and a large one in several that are on the disk before it counts', async () => {
    const repository = createMemoryLastGood();
    const sizes: string[] = [];
    const counting = {
      ...repository,
      save: (...args: Parameters<typeof repository.save>) => {
        const [, upserts, deletes] = args;
        sizes.push(`save ${upserts.length + deletes.length}`);
        repository.save(...args);
      },
      flush: async () => {
        sizes.push('flush');
      },
      remember: (...args: Parameters<typeof repository.remember>) => {
        sizes.push('remember');
        repository.remember(...args);
      },
    };
    const lastGood = new LastGood(counting, 's');
    await lastGood.save([record('a', 'x'), record('b', 'x')], [], { at: 1 });
    expect(sizes.splice(0)).toEqual(['save 2', 'remember', 'flush']);
    await lastGood.save(
      Array.from({ length: 5_500 }, (_, i) => record(`p${i}`, 'x')),
      [objectKey('profile', 'a')],
      { at: 2 },
    );
    expect(sizes).toEqual([...Array(11).fill('save 500'), 'save 1', 'save 0', 'remember', 'flush']);
    expect(await lastGood.load(atOnce)).toHaveLength(5_501);
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
    expect(await texts(lastGood)).toEqual({ 'profile/a': '{"tags":["y"]}', 'profile/c': '{"tags":["x"]}' });
    expect(lastGood.facts()).toEqual({ at: 3 });
  });
});

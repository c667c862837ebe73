import { describe, expect, it } from 'vitest';
import { objectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import { storeBench } from './testing/temporary-store.ts';

const record = (id: string, file = 'a.yaml', tag = id) =>
  new StoredRecord(objectKey('profile', id), JSON.stringify({ tags: [tag] }), { source: 'files', file }, 7);
const many = Array.from({ length: 1_234 }, (_, i) => record(`p${i}`, `f${i % 3}.yaml`));

describe('the last good content in the store', () => {
  it('is given back whole and in the order of keys, with one place for all objects of a file', async () => {
    const { lastGood } = storeBench().open();
    lastGood.save('files', many.slice(0, 900), []);
    lastGood.save('files', many.slice(900), []);
    await lastGood.flush();
    lastGood.save('other', [record('elsewhere')], []);
    const records = [...lastGood.load('files')].map((each) => StoredRecord.of(each));
    expect(records.map(({ key }) => key)).toEqual(many.map(({ key }) => key).sort());
    expect(records[0]).toEqual(many[0]);
    expect(new Set(records.map(({ place }) => place)).size).toBe(3);
  });

  it('is read while others write: what is walked later is what is there then', () => {
    const { lastGood } = storeBench().open();
    lastGood.save('files', many, []);
    const walked: string[] = [];
    for (const { key, text } of lastGood.load('files')) {
      if (walked.length === 0)
        lastGood.save('files', [record('p999', 'b.yaml', 'new')], [objectKey('profile', 'p998')]);
      walked.push(`${key} ${text}`);
    }
    expect(walked).toHaveLength(1_233);
    expect(walked.at(-1)).toBe('profile/p999 {"tags":["new"]}');
  });

  it('is kept together with what is written along, or neither is', () => {
    const { lastGood, facts } = storeBench().open();
    const along = (id: string, fault: string | null) => () => {
      facts.put('along', id, true);
      if (fault !== null) throw new Error(fault);
    };
    lastGood.save('files', [record('a')], [], along('first', null));
    expect(() => lastGood.save('files', [record('b')], [], along('second', 'not this time'))).toThrow('not this time');
    expect([...lastGood.load('files')].map(({ key }) => key)).toEqual([objectKey('profile', 'a')]);
    expect(facts.list('along')).toEqual([{ id: 'first', value: true }]);
  });

  it('survives the end of the process', async () => {
    const bench = storeBench();
    const before = bench.open();
    before.lastGood.save('files', many, []);
    before.lastGood.remember('files', { at: 5 });
    await before.close();
    const { lastGood } = bench.open();
    expect([...lastGood.load('files')]).toHaveLength(1_234);
    expect(lastGood.facts('files')).toEqual({ at: 5 });
  });
});

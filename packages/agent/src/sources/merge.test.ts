import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModelChange } from '../model/change.ts';
import { type ObjectKey, objectKey } from '../model/objects.ts';
import { StoredRecord } from '../model/stored-record.ts';
import { createMerge, type Merge } from './merge.ts';
import type { SourceState, SourceUpdate } from './source.ts';

const key = (id: string) => objectKey('profile', id);
const record = (source: string, id: string, tag: string, file = 'a.yaml') =>
  new StoredRecord(key(id), JSON.stringify({ tags: [tag] }), { source, file }, 1);
const update = (
  source: string,
  upserts: Readonly<Record<string, string>>,
  deletes: readonly string[] = [],
  state: SourceState = 'current',
): SourceUpdate => ({
  source,
  state,
  since: 1,
  upserts: Object.entries(upserts).map(([id, tag]) => record(source, id, tag)),
  deletes: deletes.map(key),
  faults: [],
  files: [],
});
const create = (): Merge =>
  createMerge({
    order: [
      { name: 'first', kind: 'directory' },
      { name: 'second', kind: 'etcd' },
      { name: 'third', kind: 'declared' },
    ],
    clock: { now: () => 1000 },
  });
/** `id: before -> after (source)` of each change. */
const told = (change: ModelChange | null) =>
  (change?.changes ?? []).map(({ key: changed, before, after, origin }) => {
    const tag = (object: typeof after) => (object?.kind === 'profile' ? object.tags[0] : '-');
    return `${changed.slice(8)}: ${tag(before)} -> ${tag(after)} (${origin?.source})`;
  });

describe('the merge of sources', () => {
  it('lets the configured order decide, never arrival', () => {
    const merge = create();
    expect(told(merge.apply(update('third', { a: '3', c: '3' })))).toEqual(['a: - -> 3 (third)', 'c: - -> 3 (third)']);
    expect(told(merge.apply(update('first', { a: '1' })))).toEqual(['a: 3 -> 1 (first)']);
    expect(merge.apply(update('second', { a: '2' }))).toBeNull();
    expect(merge.conflicts(key('a'))).toEqual(['second', 'third']);
    expect([...merge.contested()]).toEqual([key('a')]);
    expect(merge.record(key('a'))?.place.source).toBe('first');
    expect(merge.source('second')?.objects).toBe(1);
    expect(merge.counts().get('profile')).toBe(2);
  });

  it('uncovers the loser when a current source drops the winner', () => {
    const merge = create();
    merge.apply(update('first', { a: '1' }));
    merge.apply(update('second', { a: '2' }));
    expect(told(merge.apply(update('first', {}, ['a'])))).toEqual(['a: 1 -> 2 (second)']);
    expect(merge.conflicts(key('a'))).toEqual([]);
    expect(told(merge.apply(update('second', {}, ['a'])))).toEqual(['a: 2 -> - (second)']);
    expect([...merge.records()]).toEqual([]);
  });

  it('uncovers nothing while the source of the winner is not current, and then what is right', () => {
    const merge = create();
    merge.apply(update('first', { a: '1', b: '1' }));
    merge.apply(update('second', { a: '2' }));
    expect(merge.apply(update('first', {}, ['a', 'b'], 'stale'))).toBeNull();
    expect(merge.record(key('a'))?.place.source).toBe('first');
    expect(told(merge.apply(update('first', { b: '1' })))).toEqual(['a: 1 -> 2 (second)']);
    expect(merge.record(key('b'))).not.toBeNull();
  });

  it('counts revisions by changes of the model only, and tells the cause', () => {
    const merge = create();
    expect(merge.apply({ ...update('first', { a: '1' }), files: ['x.yaml'], commit: 'c' })).toMatchObject({
      revision: 1,
      cause: { source: 'first', files: ['x.yaml'], commit: 'c', at: 1000 },
    });
    expect(merge.apply(update('first', { a: '1' }))).toBeNull();
    expect(merge.apply({ ...update('first', {}), upserts: [record('first', 'a', '1', 'moved.yaml')] })).toBeNull();
    expect(merge.originOf(key('a'))?.file).toBe('moved.yaml');
    expect(merge.revision).toBe(1);
  });

  it('knows which sources have not spoken since the start', () => {
    const merge = create();
    expect(merge.waitingFor()).toEqual(['first', 'second', 'third']);
    merge.apply(update('first', { a: '1' }, [], 'stale'));
    expect(merge.hasSpoken('first')).toBe(false);
    expect(merge.source('first')).toMatchObject({ state: 'stale', objects: 1, lastGoodAt: 1 });
    merge.apply(update('first', {}));
    merge.apply(update('second', {}));
    expect(merge.waitingFor()).toEqual(['third']);
    merge.apply(update('first', {}, [], 'stale'));
    expect(merge.hasSpoken('first')).toBe(true);
    expect(merge.source('first')).toMatchObject({ state: 'stale', lastGoodAt: 1000 });
  });

  it('ends in the same model whatever the order of arrival, sliced or not', async () => {
    const source = fc.constantFrom('first', 'second', 'third');
    const ids = fc.constantFrom('a', 'b', 'c');
    const step = fc.record({ source, id: ids, tag: fc.option(fc.constantFrom('x', 'y')) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const merge = create();
        const sliced = create();
        const said = new Map<string, Map<string, string>>();
        const model = new Map<string, string>();
        for (const { source: from, id, tag } of steps) {
          const ofSource = said.get(from) ?? new Map<string, string>();
          said.set(from, ofSource);
          if (tag === null) ofSource.delete(id);
          else ofSource.set(id, tag);
          const next = update(from, tag === null ? {} : { [id]: tag }, tag === null ? [id] : []);
          const change = merge.apply(next);
          expect(told(await sliced.applyInSlices(next, () => Promise.resolve()))).toEqual(told(change));
          for (const { key: changed, after } of change?.changes ?? []) {
            if (after === null) model.delete(changed);
            else if (after.kind === 'profile') model.set(changed, after.tags[0] ?? '');
          }
        }
        const expected = new Map<ObjectKey, string>();
        for (const name of ['third', 'second', 'first']) {
          for (const [id, tag] of said.get(name) ?? []) expected.set(key(id), tag);
        }
        expect(model).toEqual(expected);
        expect(new Set([...merge.records()].map((each) => each.key))).toEqual(new Set(expected.keys()));
        expect(merge.counts().get('profile') ?? 0).toBe(expected.size);
      }),
      { numRuns: 100 },
    );
  });
});

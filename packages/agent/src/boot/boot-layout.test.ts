import type { SetName } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import { BootLayout, type PlacedSet } from './boot-layout.ts';

const set = (name: string, elements = 1): PlacedSet => ({
  name: name as SetName,
  isList: name.startsWith('l'),
  elements,
});
const many = (count: number): PlacedSet[] => Array.from({ length: count }, (_, i) => set(`s${i}`));
const sizes = (layout: BootLayout): readonly number[] => layout.files().map((file) => [...layout.setsOf(file)].length);

describe('BootLayout', () => {
  it('puts at most 250 sets in a file, and lists in files that are loaded last', () => {
    const layout = new BootLayout();
    layout.place([set('l1'), ...many(501)]);
    expect(layout.files()).toEqual([
      '1-sets-00001.restore',
      '1-sets-00002.restore',
      '1-sets-00003.restore',
      '2-lists-00001.restore',
    ]);
    expect(sizes(layout)).toEqual([250, 250, 1, 1]);
  });

  it('leaves sets where they are, and names the files whose sets changed', () => {
    const layout = new BootLayout();
    layout.place(many(500));
    const without = many(500).filter(({ name }) => name !== 's3');
    expect([...layout.place(without)]).toEqual(['1-sets-00001.restore']);
    expect([...layout.place(without)]).toEqual([]);
    expect([...layout.place([...without, set('fresh')])]).toEqual(['1-sets-00001.restore']);
    expect(sizes(layout)).toEqual([250, 250]);
  });

  it('gives a large set a file of its own, and nobody else a place in it', () => {
    const layout = new BootLayout();
    layout.place([set('a'), set('large', 60_000)]);
    layout.place([set('a'), set('large', 60_000), set('b')]);
    expect(layout.files().map((file) => [...layout.setsOf(file)])).toEqual([['a', 'b'], ['large']]);
  });

  it('forgets a file without sets, and a set that became a list is in a file of lists', () => {
    const layout = new BootLayout();
    layout.place([{ ...set('x'), isList: false }]);
    expect([...layout.place([{ ...set('x'), isList: true }])]).toEqual(['2-lists-00001.restore']);
    expect(layout.files()).toEqual(['2-lists-00001.restore']);
  });

  it('takes over what an earlier agent laid out', () => {
    const layout = new BootLayout();
    layout.found('1-sets-00007.restore', ['s1', 's2'] as SetName[]);
    layout.found('1-sets-00009.restore', ['s2', 's3'] as SetName[]);
    expect([...layout.place(many(4))]).toEqual(['1-sets-00007.restore']);
    expect(layout.files().map((file) => [...layout.setsOf(file)])).toEqual([['s1', 's2', 's0'], ['s3']]);
  });
});

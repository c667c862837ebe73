import { describe, expect, it } from 'vitest';
import { firstDifference } from './first-difference.ts';

const sets = (rows: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(rows).map(([name, members]) => [name, new Set(members)]));
const must = sets({ web: ['10.0.0.1', '10.0.0.2'] });

describe('firstDifference', () => {
  it('finds none where the kernel holds exactly what it must, and perhaps what it may', () => {
    expect(firstDifference(sets({ web: ['10.0.0.2', '10.0.0.1'], 'sk-ack-x': [] }), { must })).toBeNull();
    const may = sets({ web: ['10.0.0.9'] });
    expect(firstDifference(sets({ web: ['10.0.0.1', '10.0.0.2', '10.0.0.9'] }), { must, may })).toBeNull();
    expect(firstDifference(sets({ web: ['10.0.0.1', '10.0.0.2'] }), { must, may })).toBeNull();
  });

  it.each<[string, Record<string, string[]>, string]>([
    ['a set that is missing', {}, 'there is no set web'],
    ['a set of nobody', { web: ['10.0.0.1', '10.0.0.2'], 'sk-tmp-1': [] }, "the set sk-tmp-1 is nobody's"],
    ['a member that is missing', { web: ['10.0.0.1'] }, 'web has not 10.0.0.2'],
    ['a member of nobody', { web: ['10.0.0.1', '10.0.0.2', '10.0.0.3'] }, 'web has 10.0.0.3, which nobody wants'],
  ])('finds %s', (_what, saved, words) => {
    expect(firstDifference(sets(saved), { must })).toBe(words);
  });

  it('finds a member missing that an acknowledged act put there', () => {
    const also = [sets({ web: ['10.9.9.9'] })];
    expect(firstDifference(sets({ web: ['10.0.0.1', '10.0.0.2'] }), { must, also })).toBe('web has not 10.9.9.9');
  });
});

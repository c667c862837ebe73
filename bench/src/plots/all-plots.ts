import { changesAt } from '../goals/one-member.ts';
import { readBackPairs } from '../goals/read-back.ts';
import { rewritePairs } from '../goals/rewrite.ts';
import { pagePairs } from '../goals/set-list.ts';
import { changeTimes } from './change-times.ts';
import { type CostPlot, lines } from './cost-plot.ts';
import { loadPairs } from './load-pairs.ts';
import { memberPages } from './member-pages.ts';

/** 10^from to 10^to. */
const powers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));

/** Measured so often at a size: what takes seconds, less often. */
const often = (size: number): number => (size >= 1_000_000 ? 3 : 5);

/** One operation each; `largest` is the power of ten of the largest size, 6 in earnest. */
export function allPlots(largest: number): readonly CostPlot[] {
  const members = { xTitle: 'members of the set', yTitle: 'milliseconds', sizes: powers(2, largest) };
  const changes = powers(0, largest - 1);
  // All sizes of a change are measured by one agent, when the first is asked for.
  const inSmall = once(() => changeTimes(100, changes, 3));
  const inLarge = once(() => changeTimes(10 ** largest, changes, 3));
  return [
    {
      ...members,
      id: 'one-member',
      title: 'One member more',
      says: 'The time from an accepted change of one member to its acknowledgement stays the same from 100 members to 1,000,000.',
      floors: ['one spawn of ipset'],
      measure: async (size) => {
        const { file, put } = await changesAt(size, 11);
        return {
          'by a file': file.map(({ ours }) => ours),
          'by put': put.map(({ ours }) => ours),
          'one spawn of ipset': [...file, ...put].map(({ floor }) => floor),
        };
      },
    },
    {
      id: 'change',
      title: 'Members more at once',
      says: 'The time of a change grows with the members that it changes, and is the same in a small set and in a large one.',
      xTitle: 'members that one change adds',
      yTitle: 'milliseconds',
      floors: [],
      sizes: changes,
      measure: async (size) => ({
        'in a set of 100': (await inSmall()).get(size) ?? [],
        [`in a set of ${(10 ** largest).toLocaleString('en')}`]: (await inLarge()).get(size) ?? [],
      }),
    },
    {
      ...members,
      id: 'rewrite',
      title: 'Rewrite of a set',
      says: 'A forced rewrite grows with the members that are written, and stays below a raw restore of them.',
      floors: ['raw restore'],
      measure: async (size) => lines('setkeeper', 'raw restore', await rewritePairs(size, often(size))),
    },
    {
      ...members,
      id: 'read-back',
      title: 'Read-back and comparison',
      says: 'Reading a set back and comparing it grows with its members, as a dump of it does.',
      floors: ['ipset save'],
      measure: async (size) => lines('setkeeper', 'ipset save', (await readBackPairs('inet', size, 3)).pairs),
    },
    {
      ...members,
      id: 'load',
      title: 'From the start to the kernel',
      says: 'Reading a model of one endpoint a member and programming it grows with the members; below some thousands it is the wait for a quiet directory.',
      xTitle: 'endpoints of the model, all in one set',
      floors: ['raw restore'],
      measure: async (size) => lines('setkeeper', 'raw restore', await loadPairs(size, size >= 100_000 ? 1 : 3)),
    },
    {
      ...members,
      id: 'list-page',
      title: 'A page of a list',
      says: 'A page of 100 rows takes the same time however long the list is, once it has been put in order.',
      xTitle: 'rows of the list',
      floors: [],
      measure: async (size) => ({
        ...(size > 100_000 ? {} : { 'of sets': (await pagePairs(size / 2, 60)).map(({ ours }) => ours) }),
        'of members': await memberPages(size, 20),
      }),
    },
  ];
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

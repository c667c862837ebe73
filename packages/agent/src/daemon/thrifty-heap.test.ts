import { createFakeClock } from '@setkeeper/testkit';
import { beforeEach, expect, it } from 'vitest';
import { createThriftyHeap, type ThriftyHeap } from './thrifty-heap.ts';

let clock: ReturnType<typeof createFakeClock>;
let flags: string[];
let heap: ThriftyHeap;

beforeEach(() => {
  clock = createFakeClock();
  flags = [];
  heap = createThriftyHeap(clock, (flag) => flags.push(flag));
});

const load = (): void => {
  heap.changed(50_000);
  heap.ran();
  heap.rested();
};

it('asks for a small heap for a minute, once a load is done and nothing follows it', () => {
  load();
  clock.advance(4_999);
  expect(flags).toEqual([]);
  clock.advance(1);
  heap.rested();
  expect(flags).toEqual(['--optimize-for-size']);
  clock.advance(60_000);
  heap.rested();
  clock.advance(600_000);
  expect(flags).toEqual(['--optimize-for-size', '--no-optimize-for-size']);
});

it.each([
  ['a change', () => heap.changed(1)],
  ['a run', () => heap.ran()],
])('has a quick heap again for %s, and asks anew when that is done', (_what, work) => {
  load();
  clock.advance(5_000);
  work();
  expect(flags).toEqual(['--optimize-for-size', '--no-optimize-for-size']);
  heap.rested();
  clock.advance(5_000);
  expect(flags).toHaveLength(3);
});

it('does not bother for small changes, nor between two parts of a load', () => {
  heap.changed(10);
  heap.rested();
  clock.advance(60_000);
  load();
  clock.advance(4_000);
  heap.changed(50_000);
  clock.advance(60_000);
  expect(flags).toEqual([]);
});

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

it('asks for a small heap once a load is done', () => {
  heap.changed(50_000);
  heap.rested();
  expect(flags).toEqual([]);
  clock.advance(3_000);
  heap.rested();
  clock.advance(3_000);
  expect(flags).toEqual(['--optimize-for-size']);
});

it('asks for a quick heap while much is loaded, and not for a small change', () => {
  heap.rested();
  clock.advance(3_000);
  heap.changed(1);
  heap.changed(50_000);
  expect(flags).toEqual(['--optimize-for-size', '--no-optimize-for-size']);
});

it('does not ask for a small heap between two parts of a load', () => {
  heap.rested();
  clock.advance(2_000);
  heap.changed(50_000);
  clock.advance(60_000);
  expect(flags).toEqual([]);
});

import { createFakeClock } from '@setkeeper/testkit';
import { expect, it } from 'vitest';
import { createRunCharts } from './run-charts.ts';

it('tells runs, failures and latencies of each minute, empty ones too', () => {
  const clock = createFakeClock();
  const charts = createRunCharts(clock);
  charts.runEnded(false);
  for (const ms of [1, 2, 3, 100]) charts.latency(ms / 1000);
  clock.advance(120_000);
  charts.runEnded(true);
  const { at, runs, failed, latencyP50Ms, latencyP99Ms } = charts.read(5);
  expect(runs).toEqual([0, 0, 1, 0, 1]);
  expect(failed).toEqual([0, 0, 0, 0, 1]);
  expect(latencyP50Ms).toEqual([null, null, 3, null, null]);
  expect(latencyP99Ms[2]).toBe(100);
  expect(at[4]).toBe(clock.now() / 1000);
});

it('joins minutes when much is asked for, and loses none', () => {
  const clock = createFakeClock();
  const charts = createRunCharts(clock);
  for (let minute = 0; minute < 600; minute += 1) {
    charts.runEnded(false);
    clock.advance(60_000);
  }
  const { at, runs } = charts.read(10_080);
  expect(at.length).toBeLessThanOrEqual(180);
  expect(runs.reduce((sum, count) => sum + count, 0)).toBe(600);
});

it('keeps a bounded number of latencies however many there are', () => {
  const charts = createRunCharts(createFakeClock());
  for (let index = 0; index < 100_000; index += 1) charts.latency(index / 100_000);
  expect(charts.read(5).latencyP99Ms.at(-1)).toBeGreaterThan(900);
});

it('goes on from the runs of the agents before it', () => {
  const clock = createFakeClock();
  const charts = createRunCharts(clock);
  const minute = Math.floor(clock.now() / 60_000);
  charts.remember([
    { minute: minute - 2, runs: 7, failed: 1 },
    { minute, runs: 2, failed: 0 },
  ]);
  charts.runEnded(true);
  const { runs, failed, latencyP50Ms } = charts.read(5);
  expect(runs).toEqual([0, 0, 7, 0, 3]);
  expect(failed).toEqual([0, 0, 1, 0, 1]);
  expect(latencyP50Ms).toEqual([null, null, null, null, null]);
});

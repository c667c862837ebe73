import { describe, expect, it } from 'vitest';
import { linePlot, type PlotPoint } from './line-plot.ts';

const at = (x: number, y: number): PlotPoint => ({ x, y, low: y / 2, high: y * 2 });
const plot = (series: Parameters<typeof linePlot>[0]['series']) =>
  linePlot({ title: 'Time & size', says: 'a < b', xTitle: 'members', yTitle: 'ms', series });
const heights = (svg: string): number[] =>
  [...svg.matchAll(/<circle cx="[^"]+" cy="([^"]+)"/gu)].map(([, y]) => Number(y));

describe('a plot of cost over size', () => {
  it('draws what is flat level and what is proportional as a straight rise', () => {
    const sizes = [100, 1000, 10_000];
    const flat = heights(plot([{ name: 'flat', isFloor: false, points: sizes.map((x) => at(x, 5)) }]));
    expect(new Set(flat).size).toBe(1);
    const [first = 0, second = 0, third = 0] = heights(
      plot([{ name: 'rise', isFloor: false, points: sizes.map((x) => at(x, x / 100)) }]),
    );
    expect(first - second).toBeCloseTo(second - third, 0);
    expect(first).toBeGreaterThan(second);
  });

  it('keeps the names of lines apart that end together', () => {
    const same = { isFloor: false, points: [at(100, 5), at(1000, 5)] };
    const svg = plot(['a', 'b', 'c'].map((name) => ({ ...same, name })));
    const labels = [...svg.matchAll(/<text class="name" x="[^"]+" y="([^"]+)"/gu)].map(([, y]) => Number(y));
    const gaps = labels.slice(1).map((y, i) => y - (labels[i] ?? 0));
    expect(gaps.every((gap) => gap >= 15)).toBe(true);
  });

  it('takes no word for markup', () => {
    const svg = plot([{ name: '<script>', isFloor: true, points: [at(100, 5)] }]);
    expect(svg).toContain('Time &amp; size');
    expect(svg).toContain('a &lt; b');
    expect(svg).not.toContain('<script>');
  });
});

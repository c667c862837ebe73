/** One measured size: the middle of its figures and what most of them spread over, all above 0. */
export interface PlotPoint {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
}

/** What is drawn as one line. `isFloor`: what it is compared with, drawn thin. */
export interface PlotSeries {
  readonly name: string;
  readonly isFloor: boolean;
  readonly points: readonly PlotPoint[];
}

export interface LinePlot {
  readonly title: string;
  /** What it shows, in a sentence: for those who cannot see it. */
  readonly says: string;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly series: readonly PlotSeries[];
}

const WIDTH = 720;
const HEIGHT = 420;
const AREA = { left: 76, right: 540, top: 52, bottom: 360 } as const;
const LABEL_GAP = 15;

/** Both axes are powers of ten of the same length, so that what grows in proportion rises by as much as it goes right where both span the same. */
interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly xPowers: readonly number[];
  readonly yPowers: readonly number[];
}

/**
 * Lines over two logarithmic axes as an SVG document. Colours are custom properties with a light and a dark default, so a page
 * that embeds it may set its own; lines differ by dash and mark as well, and each has its name at its end.
 */
export function linePlot(plot: LinePlot): string {
  const scale = scaleOf(plot.series.flatMap(({ points }) => points));
  const labels = labelHeights(plot.series, scale);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title says">`,
    `<title id="title">${escaped(plot.title)}</title>`,
    `<desc id="says">${escaped(plot.says)}</desc>`,
    STYLE,
    `<rect class="paper" width="${WIDTH}" height="${HEIGHT}"/>`,
    text(AREA.left, 28, 'head', plot.title),
    ...axes(plot, scale),
    ...proportional(scale),
    ...plot.series.flatMap((series, index) => lineOf(series, index, scale, labels[index] ?? 0)),
    '</svg>',
  ].join('\n')}\n`;
}

function scaleOf(points: readonly PlotPoint[]): Scale {
  const xPowers = powers(points.map(({ x }) => x));
  const yPowers = powers(points.flatMap(({ low, high }) => [low, high]));
  const along = (value: number, all: readonly number[]): number => {
    const [first = 0, last = 1] = [all[0], all.at(-1)];
    return (Math.log10(value) - first) / (last - first);
  };
  return {
    x: (value) => AREA.left + along(value, xPowers) * (AREA.right - AREA.left),
    y: (value) => AREA.bottom - along(value, yPowers) * (AREA.bottom - AREA.top),
    xPowers,
    yPowers,
  };
}

/** The exponents that enclose some values; at least two. */
function powers(values: readonly number[]): readonly number[] {
  const first = Math.floor(Math.log10(Math.min(...values)) + 1e-9);
  const last = Math.max(first + 1, Math.ceil(Math.log10(Math.max(...values)) - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function axes({ xTitle, yTitle }: LinePlot, { x, y, xPowers, yPowers }: Scale): readonly string[] {
  const middle = (AREA.left + AREA.right) / 2;
  return [
    ...xPowers.flatMap((power) => [
      line(x(10 ** power), AREA.top, x(10 ** power), AREA.bottom, 'grid'),
      text(x(10 ** power), AREA.bottom + 20, 'tick middle', amount(10 ** power)),
    ]),
    ...yPowers.flatMap((power) => [
      line(AREA.left, y(10 ** power), AREA.right, y(10 ** power), 'grid'),
      text(AREA.left - 8, y(10 ** power) + 4, 'tick end', amount(10 ** power)),
    ]),
    text(middle, HEIGHT - 16, 'tick middle', xTitle),
    `<text class="tick middle" transform="translate(18 ${(AREA.top + AREA.bottom) / 2}) rotate(-90)">${escaped(yTitle)}</text>`,
  ];
}

/** A faint line from the lower left corner: what is ten times as much for ten times the size runs beside it. */
function proportional({ x, y, xPowers, yPowers }: Scale): readonly string[] {
  const [x0 = 0, y0 = 0] = [xPowers[0], yPowers[0]];
  const length = Math.min(xPowers.length, yPowers.length) - 1;
  const [endX, endY] = [x(10 ** (x0 + length)), y(10 ** (y0 + length))];
  return [line(x(10 ** x0), y(10 ** y0), endX, endY, 'guide'), text(endX - 26, endY + 8, 'tick end', 'in proportion')];
}

function lineOf({ name, isFloor, points }: PlotSeries, index: number, { x, y }: Scale, label: number): string[] {
  const kind = `line${index % 4}${isFloor ? ' floor' : ''}`;
  const path = points.map((point) => `${fixed(x(point.x))},${fixed(y(point.y))}`).join(' ');
  return [
    `<g class="${kind}">`,
    ...points.map((point) => line(x(point.x), y(point.low), x(point.x), y(point.high), 'spread')),
    `<polyline points="${path}"/>`,
    ...points.map(
      (point) =>
        `<circle cx="${fixed(x(point.x))}" cy="${fixed(y(point.y))}" r="${isFloor ? 2.5 : 4}"><title>${escaped(`${name}: ${amount(point.y)} at ${amount(point.x)}`)}</title></circle>`,
    ),
    text(x(points.at(-1)?.x ?? 1) + 10, label + 4, 'name', name),
    '</g>',
  ];
}

/** Where the names of the lines go: at their ends, but never one over the other. */
function labelHeights(series: readonly PlotSeries[], { y }: Scale): readonly number[] {
  const ends = series.map(({ points }, index) => ({ index, at: y(points.at(-1)?.y ?? 1) }));
  const heights: number[] = [];
  let free = Number.NEGATIVE_INFINITY;
  for (const { index, at } of ends.toSorted((a, b) => a.at - b.at)) {
    heights[index] = Math.max(at, free);
    free = (heights[index] ?? at) + LABEL_GAP;
  }
  return heights;
}

const fixed = (value: number): string => String(Number(value.toFixed(1)));
const amount = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const text = (x: number, y: number, kind: string, words: string): string =>
  `<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}">${escaped(words)}</text>`;
const line = (x1: number, y1: number, x2: number, y2: number, kind: string): string =>
  `<line class="${kind}" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`;

const STYLE = `<style>
svg { --paper: var(--plot-paper, #ffffff); --ink: var(--plot-ink, #1f2328); --faint: var(--plot-faint, #d8dee4); --grey: var(--plot-grey, #59636e);
  --c0: var(--plot-0, #0b62c4); --c1: var(--plot-1, #b3470a); --c2: var(--plot-2, #1a7f37); --c3: var(--plot-3, #8250df); font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  svg { --paper: var(--plot-paper, #0d1117); --ink: var(--plot-ink, #e6edf3); --faint: var(--plot-faint, #30363d); --grey: var(--plot-grey, #9198a1);
    --c0: var(--plot-0, #58a6ff); --c1: var(--plot-1, #f0883e); --c2: var(--plot-2, #3fb950); --c3: var(--plot-3, #bc8cff); }
}
.paper { fill: var(--paper); } .head { fill: var(--ink); font-weight: 600; font-size: 15px; } .tick { fill: var(--grey); font-size: 12px; }
.middle { text-anchor: middle; } .end { text-anchor: end; } .grid { stroke: var(--faint); } .guide { stroke: var(--grey); stroke-dasharray: 1 5; }
polyline { fill: none; stroke: var(--c); stroke-width: 2.5; } circle, .name { fill: var(--c); } .spread { stroke: var(--c); stroke-width: 1; opacity: .5; }
.line0 { --c: var(--c0); } .line1 { --c: var(--c1); } .line2 { --c: var(--c2); } .line3 { --c: var(--c3); }
.line1 polyline { stroke-dasharray: 9 4; } .line2 polyline { stroke-dasharray: 3 3; } .line3 polyline { stroke-dasharray: 9 3 2 3; } .floor polyline { stroke-width: 1.5; }
</style>`;

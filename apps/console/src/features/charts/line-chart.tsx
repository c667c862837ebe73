'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreference } from '../../client/preferences.ts';
import { useMedia } from '../../ui/use-media.ts';

/** One line or bar row of a chart; `token` is the name of a colour token. */
export interface Series {
  readonly label: string;
  readonly token: 'accent' | 'bad' | 'warn' | 'ink-3';
  readonly values: readonly (number | null)[];
  readonly isBars?: boolean;
  readonly isDashed?: boolean;
}

const heightPx = 150;

/** A small chart over time in the theme's colours. It is for looking; the numbers are in the table beside it. */
export function LineChart({
  label,
  at,
  series,
  formatValue,
}: {
  readonly label: string;
  /** Seconds since 1970. */
  readonly at: readonly number[];
  readonly series: readonly Series[];
  readonly formatValue: (value: number) => string;
}): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [theme] = usePreference('theme');
  const [clock] = usePreference('clock');
  const isDark = useMedia('(prefers-color-scheme: dark)');
  useEffect(() => {
    const host = box.current;
    if (host === null) return;
    const colours = colourReader(host);
    const axis = {
      stroke: colours('ink-3'),
      grid: { stroke: colours('line'), width: 1 },
      ticks: { stroke: colours('line'), width: 1 },
    };
    const plot = new uPlot(
      {
        width: Math.max(240, host.clientWidth),
        height: heightPx,
        padding: [8, 20, 0, 0],
        legend: { show: false },
        cursor: { y: false, points: { size: 5 } },
        ...(clock === 'utc' ? { tzDate: (seconds: number) => uPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') } : {}),
        axes: [
          {
            ...axis,
            size: 28,
            values: [
              [3600 * 24, '{MM}-{DD}', null, null, null, null, null, null, 1],
              [60, '{HH}:{mm}', null, null, null, null, null, null, 1],
            ],
          },
          { ...axis, size: labelWidth, values: (_self, ticks) => ticks.map((tick) => formatValue(tick)) },
        ],
        scales: { y: { range: (_self, _min, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          {},
          ...series.map((one) => ({
            label: one.label,
            stroke: colours(one.token),
            width: 1.75,
            points: { show: false },
            spanGaps: true,
            ...(one.isDashed === true ? { dash: [4, 3] } : {}),
            ...(one.isBars === true && uPlot.paths.bars !== undefined
              ? { fill: colours(one.token), width: 0, paths: uPlot.paths.bars({ size: [0.7, 14] }) }
              : {}),
          })),
        ],
      },
      [[...at], ...series.map((one) => [...one.values])],
      host,
    );
    const watcher = new ResizeObserver(() =>
      plot.setSize({ width: Math.max(240, host.clientWidth), height: heightPx }),
    );
    watcher.observe(host);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
    // theme and isDark are what the colour tokens depend on
  }, [at, series, formatValue, clock, theme, isDark]);
  return <div ref={box} role="img" aria-label={label} className="w-full overflow-hidden" />;
}

/** As wide as the longest label needs: canvas text that does not fit is cut without a sign. Ten for the tick, five between. */
function labelWidth(plot: uPlot, labels: string[] | null): number {
  const ratio = window.devicePixelRatio;
  const widest = (labels ?? []).map((text) => plot.ctx.measureText(text).width / ratio);
  return Math.ceil(Math.max(24, ...widest)) + 17;
}

/** Reads colour tokens as colours that a canvas understands. */
function colourReader(host: HTMLElement): (token: string) => string {
  return (token) => {
    const probe = document.createElement('span');
    probe.style.color = `var(--${token})`;
    host.append(probe);
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
  };
}

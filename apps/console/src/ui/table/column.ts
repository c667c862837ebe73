import type { ReactNode } from 'react';

/** One column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  /** What the header's words mean, on hover. */
  readonly explains?: string;
  readonly cell: (row: Row) => ReactNode;
  /** A CSS grid track: `minmax(14rem, 2fr)`, `5.5rem`. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** The server's name of this order, where it has one. */
  readonly sort?: string;
  /** On a narrow screen a row is a card: its title, a labelled line of it, or nothing. */
  readonly narrow?: 'title' | 'line' | 'hidden';
  /** It stays at the left edge while the others scroll. */
  readonly isSticky?: boolean;
  readonly isHiddenAtFirst?: boolean;
  /** The plain value for an export; without one the column is not exported. */
  readonly plain?: (row: Row) => string | number | null;
}

/** The order of a table. */
export interface Order {
  readonly by: string;
  readonly isDescending: boolean;
}

/** Whether words follow a column of numbers, which stand at its right edge: they need room between them. */
export function isLastNumber(columns: readonly Pick<Column<never>, 'isNumber'>[], index: number): boolean {
  const next = columns[index + 1];
  return columns[index]?.isNumber === true && next !== undefined && next.isNumber !== true;
}

/** The track of the check boxes. */
export const chooseTrack = '2rem';

const gapRem = 0.75;
const edgesRem = 1.5;

/** What a table needs so that no track is narrower than its least: narrower windows scroll it sideways, and nothing is cut at its edge. */
export function leastWidth(columns: readonly Pick<Column<never>, 'width'>[], hasChoice: boolean): string {
  const tracks = [...(hasChoice ? [chooseTrack] : []), ...columns.map((column) => column.width)];
  const least = tracks.map((track) => Number(/^(?:minmax\()?([\d.]+)rem/u.exec(track)?.[1] ?? 0));
  return `${least.reduce((sum, rem) => sum + rem, 0) + gapRem * (tracks.length - 1) + edgesRem}rem`;
}

import type { Breathe } from '../sources/breather.ts';

const CHUNK = 4_096;

/** A new sorted array, made in slices between which others may run. Stable. One comparison more than a plain sort here and there. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  breathe: Breathe,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += CHUNK) {
    runs.push(items.slice(at, at + CHUNK).sort(compare));
    const pause = breathe();
    if (pause !== null) await pause;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right] = runs.slice(at, at + 2);
      merged.push(right === undefined ? left : await mergeRuns(left, right, compare, breathe));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeRuns<T>(left: T[], right: T[], compare: (a: T, b: T) => number, breathe: Breathe): Promise<T[]> {
  const out: T[] = [];
  let l = 0;
  let r = 0;
  while (l < left.length || r < right.length) {
    const a = left[l];
    const b = right[r];
    if (b === undefined || (a !== undefined && compare(a, b) <= 0)) {
      out.push(a as T);
      l++;
    } else {
      out.push(b);
      r++;
    }
    if (out.length % CHUNK !== 0) continue;
    const pause = breathe();
    if (pause !== null) await pause;
  }
  return out;
}

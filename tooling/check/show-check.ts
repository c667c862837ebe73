import type { CheckResult } from './check.ts';

/** Prints a check's answer, and below it what is wrong. */
export function showCheck({ name, isFine, detail, durationMs }: CheckResult): void {
  console.log(`${isFine ? 'ok    ' : 'FAILED'} ${name} (${(durationMs / 1000).toFixed(1)} s)`);
  if (!isFine) console.log(detail.replace(/^/gm, '       '));
}

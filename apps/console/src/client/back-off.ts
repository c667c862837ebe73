/** Milliseconds to wait before attempt `attempt` (from 1): 0.5 s doubled up to 30 s, spread by half so that tabs do not come back at once. `random` is in [0, 1). */
export function backOffMs(attempt: number, random: number): number {
  const whole = Math.min(30_000, 500 * 2 ** Math.min(attempt - 1, 10));
  return Math.round(whole / 2 + (whole / 2) * random);
}

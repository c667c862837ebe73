import { InvalidArgumentError } from 'commander';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `30s`, `5m`, `1h`, `7d` in seconds; undefined if it is none of these, or nothing at all, or over a year. */
export function durationSeconds(text: string): number | undefined {
  const match = /^([0-9]{1,9})([smhd])$/u.exec(text);
  if (match === null) return undefined;
  const seconds = Number(match[1]) * (unitSeconds[match[2] ?? ''] ?? 0);
  return seconds >= 1 && seconds <= 366 * 86_400 ? seconds : undefined;
}

/** An option that takes a TIME. */
export function durationArgument(text: string): number {
  const seconds = durationSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError('A time is 30s, 5m, 1h or 7d, at most 366d.');
  return seconds;
}

/** An option that takes seconds, with or without a unit. */
export function timeoutArgument(text: string): number {
  if (/^[0-9]{1,9}(\.[0-9]+)?$/u.test(text)) return Number(text);
  const seconds = durationSeconds(text);
  if (seconds === undefined) throw new InvalidArgumentError('A time-out is a number of seconds, or 30s, 5m, 1h.');
  return seconds;
}

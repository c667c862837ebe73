import { describe, expect, it } from 'vitest';
import { dateTime, timeOfDay } from './clock-time.ts';
import { duration, preciseDuration } from './duration.ts';
import { parseTimeSpan } from './time-span.ts';

describe('times for people', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_600_000, '1 h'],
    [11_400_000, '3 h 10 min'],
    [86_400_000 * 2, '2 d'],
    [86_400_000 * 2 + 3_600_000 * 5, '2 d 5 h'],
    [86_400_000 * 40, '40 d'],
  ])('%i ms is %s', (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  it.each([
    [0, '0 ms'],
    [0.42, '0.42 ms'],
    [5.04, '5.0 ms'],
    [18.4, '18 ms'],
    [2_400, '2.4 s'],
    [65_000, '1 min'],
  ])('%d ms is %s where it matters', (ms, words) => {
    expect(preciseDuration(ms)).toBe(words);
  });

  it('shows UTC with its zone, and leaves out the date of today', () => {
    const at = Date.UTC(2026, 0, 31, 2, 13, 4);
    expect(dateTime(at, 'utc')).toBe('2026-01-31 02:13:04Z');
    expect(timeOfDay(at, at + 3_600_000, 'utc')).toBe('02:13Z');
    expect(timeOfDay(at, at + 86_400_000, 'utc')).toBe('01-31 02:13Z');
  });

  it.each([
    ['30s', 30],
    ['5m', 300],
    [' 1h ', 3_600],
    ['7 d', 604_800],
  ])('%s is %i seconds', (text, seconds) => {
    expect(parseTimeSpan(text)).toBe(seconds);
  });

  it.each(['', '5', 'm', '0s', '-1h', '1.5h', '400d', '1h30m'])('%j is no time', (text) => {
    expect(parseTimeSpan(text)).toBeUndefined();
  });
});

import type { Preferences } from '../client/preferences.ts';

type Clock = Preferences['clock'];

const formats = new Map<string, Intl.DateTimeFormat>();

function format(key: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('sv-SE', options);
  formats.set(key, made);
  return made;
}

/** Date and time to the second in UTC or in this browser's zone: `2026-01-31 02:13:04Z`. */
export function dateTime(ms: number, clock: Clock): string {
  if (clock === 'utc') return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;
  return format('local', { dateStyle: 'short', timeStyle: 'medium' }).format(ms);
}

/** The time of day, with the date where it is not today: `02:13`, `01-30 02:13`. */
export function timeOfDay(ms: number, nowMs: number, clock: Clock): string {
  const whole = dateTime(ms, clock);
  const today = dateTime(nowMs, clock).slice(0, 10);
  const zone = clock === 'utc' ? 'Z' : '';
  return whole.startsWith(today) ? `${whole.slice(11, 16)}${zone}` : `${whole.slice(5, 16)}${zone}`;
}

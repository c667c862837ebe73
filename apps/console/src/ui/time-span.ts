const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The CLI's TIME in seconds: `30s`, `5m`, `1h`, `7d`; undefined if it is none, or longer than a year. */
export function parseTimeSpan(text: string): number | undefined {
  const match = /^\s*(\d{1,6})\s*([smhd])\s*$/u.exec(text);
  const seconds = Number(match?.[1]) * (unitSeconds[match?.[2] ?? ''] ?? Number.NaN);
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= 366 * 86_400 ? seconds : undefined;
}

/** How long ago an instant was, for people: `4 s ago`, `3 min ago`, `2 h ago`, `5 d ago`; `-` for none. */
export function ago(instant: string | null | undefined, nowMs: number): string {
  if (instant === null || instant === undefined) return '-';
  const at = Date.parse(instant);
  if (Number.isNaN(at)) return instant;
  const seconds = Math.round((nowMs - at) / 1000);
  if (seconds < 0) return `in ${span(-seconds)}`;
  return `${span(seconds)} ago`;
}

/** A length of time in its largest fitting unit. */
export function span(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** A length of time for people, with at most two units: `4 s`, `2 min`, `3 h 10 min`, `5 d`. `ms` below a second: `180 ms`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return days < 10 && hours % 24 !== 0 ? `${days} d ${hours % 24} h` : `${days} d`;
}

/** Milliseconds with the precision that matters: `0.42 ms`, `18 ms`, `2.4 s`. */
export function preciseDuration(ms: number): string {
  if (ms === 0) return '0 ms';
  if (ms < 10) return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return duration(ms);
}

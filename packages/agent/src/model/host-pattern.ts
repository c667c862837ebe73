/**
 * Whether a host's name fits a pattern in which `*` stands for any characters and `?` for one. Everything else is itself.
 * Linear in practice and never worse than pattern × name, whatever the pattern: it comes from a model.
 */
export function fitsHostPattern(pattern: string, host: string): boolean {
  let p = 0;
  let h = 0;
  let star = -1;
  let resumeAt = 0;
  while (h < host.length) {
    if (p < pattern.length && (pattern[p] === '?' || (pattern[p] === host[h] && pattern[p] !== '*'))) {
      p++;
      h++;
    } else if (pattern[p] === '*') {
      star = p++;
      resumeAt = h;
    } else if (star >= 0) {
      p = star + 1;
      h = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Whether a references document is for this host: it names none, or one of its patterns fits. */
export const isForHost = (patterns: readonly string[], host: string): boolean =>
  patterns.length === 0 || patterns.some((pattern) => fitsHostPattern(pattern, host));

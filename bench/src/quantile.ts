/** The value below which so much of the others lies: 0.99 of 200 values is the 198th. NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** A bucket of a Prometheus histogram: how many values were at most so large. */
interface Bucket {
  readonly atMost: number;
  readonly count: number;
}

/** The buckets of a histogram without labels in the text of the metrics, smallest first. */
export function bucketsOf(text: string, name: string): readonly Bucket[] {
  return [...text.matchAll(new RegExp(`^${name}_bucket\\{le="([^"]+)"\\} ([0-9.e+]+)$`, 'gmu'))].map(
    ([, le = '', count]) => ({ atMost: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count: Number(count) }),
  );
}

/**
 * A quantile of what came into a histogram between two readings, straight within its bucket as Prometheus has it; the lower
 * end of the last bucket, which has no upper one.
 */
export function bucketQuantile(before: readonly Bucket[], after: readonly Bucket[], share: number): number {
  const grown = after.map(({ atMost, count }, i) => ({ atMost, count: count - (before[i]?.count ?? 0) }));
  const wanted = (grown.at(-1)?.count ?? 0) * share;
  let [low, below] = [0, 0];
  for (const { atMost, count } of grown) {
    if (count >= wanted && count > below)
      return Number.isFinite(atMost) ? low + ((atMost - low) * (wanted - below)) / (count - below) : low;
    [low, below] = [atMost, count];
  }
  return Number.NaN;
}

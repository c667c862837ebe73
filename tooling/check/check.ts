/** What a check found. `detail` is for a person: what is wrong, where, and by which rule; empty when `isFine`. */
export interface Verdict {
  readonly isFine: boolean;
  readonly detail: string;
}

/** One question about the code base with a yes or a no. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<Verdict>;
}

/** A check's answer and what it cost. */
export interface CheckResult extends Verdict {
  readonly name: string;
  readonly durationMs: number;
}

/**
 * Runs checks, at most `concurrency` at a time, and tells each result as it comes. A check that throws counts as not
 * fine. The results have the order of the checks.
 */
export async function runChecks(
  checks: readonly Check[],
  concurrency: number,
  now: () => number,
  tell: (result: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  const waiting = [...checks.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, check] = next;
      const started = now();
      const verdict = await check.run().catch((error: unknown) => ({ isFine: false, detail: String(error) }));
      const result = { ...verdict, name: check.name, durationMs: Math.round(now() - started) };
      results[index] = result;
      tell(result);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, worker));
  return results;
}

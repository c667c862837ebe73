import type { Skipped, Tally } from './tally.ts';

/**
 * Reads what `packaging/test-packages` wrote down, a line a test: `ok WORDS`, `FAILED WORDS`, `skipped WORDS: REASON`.
 * Any other line is a test whose end is not known, and counts as failed.
 */
export function packagesTally(text: string): Tally {
  let passed = 0;
  const failures: string[] = [];
  const skipped: Skipped[] = [];
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    const [, state, words = ''] = /^(ok|FAILED|skipped) +(.+)$/u.exec(line) ?? [];
    if (state === 'ok') passed += 1;
    else if (state === 'skipped') {
      const [name = words, ...reason] = words.split(': ');
      skipped.push({ name, reason: reason.join(': ') || 'no reason given' });
    } else failures.push(words || line);
  }
  return { passed, failed: failures.length, skipped, failures };
}

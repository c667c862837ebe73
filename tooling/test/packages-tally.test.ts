import { expect, it } from 'vitest';
import { packagesTally } from './packages-tally.ts';

it('counts lines by their first word, and takes a line that it does not know for a failure', () => {
  const text = [
    'ok      installs with no network',
    'FAILED  is removed',
    'skipped starts under systemd: no cgroup2 here: old kernel',
    'ok',
    '',
  ].join('\n');
  expect(packagesTally(text)).toEqual({
    passed: 1,
    failed: 2,
    failures: ['is removed', 'ok'],
    skipped: [{ name: 'starts under systemd', reason: 'no cgroup2 here: old kernel' }],
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FakeKernel } from './fake-kernel.ts';
import { FakeRestore } from './fake-restore.ts';
import { saveText } from './ipset-output.ts';

/** A record of what ipset 7.17 really did on kernel 6.18. */
interface CorpusRecord {
  readonly id: string;
  readonly setup: string;
  readonly setup_cmds: readonly string[];
  readonly args: readonly string[];
  readonly input: string;
  readonly rc: number;
  readonly stderr: string;
  readonly stdout: string;
  readonly state_after: string;
}

const records = readFileSync(new URL('../../corpus/restore-corpus.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as CorpusRecord);

describe('the fake kernel against the records of the real one', () => {
  it('has all records', () => {
    expect(records).toHaveLength(81);
  });

  it.each(records.map((record) => [record.id, record] as const))('agrees with %s', (_, record) => {
    const kernel = new FakeKernel();
    restore(kernel, record.setup, []);
    for (const command of record.setup_cmds) kernel.hold(/--match-set (\S+)/.exec(command)?.[1] ?? '');
    const end = restore(kernel, record.input, record.args);
    expect({ ...end, state: lines(saveText([...kernel.sets.values()])) }).toEqual({
      exitCode: record.rc,
      stdout: record.stdout,
      stderr: record.stderr,
      state: lines(record.state_after),
    });
  });
});

function restore(kernel: FakeKernel, input: string, args: readonly string[]) {
  const process = new FakeRestore(kernel, args);
  const all = input.split('\n');
  if (all.at(-1) === '') all.pop();
  for (const line of all) process.take(line);
  const exitCode = process.end();
  return { exitCode, ...process.takeOutput() };
}

/** Members come in the order of a hash; times run on by a second between the real commands. */
const lines = (save: string): readonly string[] =>
  save
    .replaceAll(/ bucketsize \d+ initval 0x[0-9a-f]+/g, '')
    .replaceAll(
      /(add .* timeout) (\d+)/g,
      (_, start: string, seconds: string) => `${start} ${Math.round(Number(seconds) / 10) * 10}`,
    )
    .split('\n')
    .filter((line) => line !== '')
    .sort();

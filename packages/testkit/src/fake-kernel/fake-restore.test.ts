import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeKernel } from './fake-kernel.ts';
import { FakeRestore } from './fake-restore.ts';

function run(kernel: FakeKernel, lines: readonly string[], args: readonly string[] = []) {
  const process = new FakeRestore(kernel, args);
  for (const line of lines) process.take(line);
  const exitCode = process.end();
  return { exitCode, ...process.takeOutput() };
}

const SETS = ['create a hash:ip', 'create n hash:net'];

describe('a fake restore', () => {
  it('takes any text and always ends with a status, as a process does', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'add',
        'del',
        'create',
        'swap',
        'a',
        'n',
        'hash:ip',
        '192.0.2.1',
        '"',
        '-exist',
        'timeout',
        '-n',
        'COMMIT',
        ',',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(fc.array(word, { maxLength: 5 }), { maxLength: 12 }), (lines) => {
        const { exitCode, stderr } = run(new FakeKernel(), [...SETS, ...lines.map((words) => words.join(' '))]);
        expect([0, 1, 2]).toContain(exitCode);
        if (exitCode !== 0) expect(stderr).not.toBe('');
      }),
    );
  });

  it('sends what it buffered when an acknowledgement is asked for, and prints it once all before is in', () => {
    const kernel = new FakeKernel();
    const process = new FakeRestore(kernel, ['-exist']);
    for (const line of ['create z hash:ip', 'create a hash:ip', 'add a 192.0.2.1']) process.take(line);
    expect(kernel.elements('a')).toEqual([]);
    process.take('list -n z');
    expect(kernel.elements('a')).toEqual(['192.0.2.1']);
    expect(process.takeOutput().stdout).toBe('z\n');
  });

  it('loses the run of adds before a line that it cannot parse, and not what came before that run', () => {
    const kernel = new FakeKernel();
    const lines = [...SETS, 'add a 192.0.2.1', 'add n 10.0.0.0/8', 'add n 10.1.0.0/16', 'bogus', 'add a 192.0.2.2'];
    expect(run(kernel, lines)).toMatchObject({ exitCode: 2 });
    expect(kernel.elements('a')).toEqual(['192.0.2.1']);
    expect(kernel.elements('n')).toEqual([]);
  });

  it('goes on believing in the type that a set had when it first saw it', () => {
    const kernel = new FakeKernel();
    const process = new FakeRestore(kernel, ['-exist']);
    for (const line of [...SETS, 'add n 10.0.0.0/30', 'COMMIT']) process.take(line);
    run(kernel, ['destroy n', 'create n hash:ip']);
    for (const line of ['add n 10.0.0.0/30', 'COMMIT']) process.take(line);
    // A network believed, four addresses added: in silence, as the real one does.
    expect(process.exitCode).toBeNull();
    expect(kernel.elements('n')).toEqual(['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3']);
    run(kernel, ['destroy n', 'create n hash:net family inet6']);
    for (const line of ['add n 10.0.0.0/30', 'COMMIT']) process.take(line);
    expect(process.takeOutput().stderr).toContain('ipset protocol error');
  });
});

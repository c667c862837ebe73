import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyFailure, type FailureCode, protocolWarnings } from './restore-failure.ts';

interface CorpusRecord {
  readonly id: string;
  readonly rc: number;
  readonly stderr: string;
  readonly error_line: number | null;
}

const corpus: readonly CorpusRecord[] = readFileSync(new URL('../restore-corpus.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as CorpusRecord);

const failed = (stderr: string, exitCode = 1) => classifyFailure({ exitCode, signal: null, stderr });

/** The class of every failure in the corpus, as a person reads its text. */
const CLASS_OF: Readonly<Record<string, FailureCode>> = {
  'dup-add': 'duplicate',
  'syntax-loses-earlier-adds': 'syntax',
  'unknown-arg-no-line-number': 'usage',
  'two-errors-dup-then-syntax-reports-later-line': 'syntax',
  'interleaved-sets-partial': 'syntax',
  'create-exist-other-type': 'set-exists',
  'create-exist-other-timeout': 'set-exists',
  'create-exist-comment-added': 'set-exists',
  'del-missing': 'absent',
  'flush-missing': 'set-missing',
  'destroy-missing': 'set-missing',
  'destroy-referenced-by-list': 'set-in-use',
  'rename-referenced': 'set-in-use',
  'swap-family-mismatch': 'type-mismatch',
  'swap-second-missing': 'swap-missing',
  'rename-target-exists': 'set-exists',
  'ipv6-in-inet': 'syntax',
  'ipv6-cidr-in-hash-ip': 'syntax',
  'cidr-in-hash-ip-partial': 'duplicate',
  'host-bits': 'duplicate',
  'slash-32-normalised': 'duplicate',
  'cidr-zero-hash-net6': 'bad-cidr',
  'cidr-zero-hash-net-port': 'bad-cidr',
  'zero-ip-hash-ip': 'null-element',
  'zero6-ip-hash-ip': 'null-element',
  'dotted-netmask': 'syntax',
  'hash-full': 'full',
  'hash-full-exist': 'full',
  'name-32-too-long': 'syntax',
  'type-unknown': 'type-unsupported',
  'option-unknown': 'usage',
  'bitmap-range-too-big': 'unknown',
  'bitmap-out-of-range': 'out-of-range',
  'port-no-proto-is-tcp': 'duplicate',
  'port-sctp-missing-second': 'syntax',
  'port-out-of-range': 'syntax',
  'port-unknown-proto': 'syntax',
  'timeout-negative': 'syntax',
  'timeout-too-big': 'syntax',
  'timeout-float': 'syntax',
  'timeout-unsupported': 'option-unsupported',
  'counters-unsupported': 'option-unsupported',
  'skbinfo-unsupported': 'syntax',
  'comment-unterminated-quote': 'usage',
  'comment-escaped-quote': 'usage',
  'comment-256': 'syntax',
  'listset-missing-member': 'list-member',
  'listset-nested': 'list-member',
  'listset-duplicate-member': 'duplicate',
  'listset-before-missing': 'list-member',
  'iface-too-long': 'syntax',
  bom: 'usage',
  'bad-command-after-buffered': 'usage',
  'missing-argument': 'usage',
  'test-in-restore': 'unknown',
  'version-in-restore': 'usage',
};

describe('the recorded failures of the real ipset', () => {
  const failures = corpus.filter((record) => record.rc !== 0);

  it('are all named here', () => {
    expect(failures.map((record) => record.id).sort()).toEqual(Object.keys(CLASS_OF).sort());
  });

  it.each(failures)('$id is of its class, with its line and the words of the kernel', (record) => {
    const failure = failed(record.stderr, record.rc);
    expect(failure.code).toBe(CLASS_OF[record.id]);
    expect(failure.line).toBe(record.error_line);
    expect(failure.raw).toBe(record.stderr);
    expect(failure.message).not.toMatch(/^ipset v|Error in line|Try `ipset help'/);
    expect(failure.message).not.toBe('');
    expect(record.stderr).toContain(failure.message);
  });

  it.each(failures.filter((record) => CLASS_OF[record.id] === 'syntax' || CLASS_OF[record.id] === 'usage'))(
    '$id may have lost lines before it',
    (record) => {
      expect(failed(record.stderr, record.rc).prefixApplied).toBe(false);
    },
  );
});

describe('classifyFailure', () => {
  it.each([
    ['Kernel error received: Device or resource busy', 'busy', 'line', true],
    ['Kernel error received: ipset protocol error', 'protocol-error', 'line', false],
    ['Kernel error received: set type not supported', 'type-unsupported', 'environment', false],
    ['Kernel error received: maximal number of sets reached, cannot create more', 'set-limit', 'environment', false],
    ['Kernel error received: Operation not permitted', 'permission', 'environment', false],
    ['Cannot open session to kernel.', 'no-session', 'environment', false],
    ['Kernel error received: Cannot allocate memory', 'unknown', 'environment', true],
    ['The set is full, more elements cannot be added', 'full', 'line', false],
    ['Something that nobody has seen', 'unknown', 'line', false],
  ] as const)('knows "%s"', (words, code, scope, transient) => {
    expect(failed(`ipset v7.17: Error in line 7: ${words}\n`)).toMatchObject({
      code,
      scope,
      transient,
      line: 7,
      message: words,
    });
  });

  it('takes a missing set before an add or del for a loss of what went before, since ipset itself found it', () => {
    const stderr = 'ipset v7.17: Error in line 3: The set with the given name does not exist\n';
    const of = (command: 'add' | 'del' | 'swap' | 'create') =>
      classifyFailure({ exitCode: 1, signal: null, stderr, command }).prefixApplied;
    expect([of('add'), of('del'), of('swap'), of('create')]).toEqual([false, false, true, true]);
    expect(failed(stderr).prefixApplied).toBe(false);
  });

  it('keeps a protocol warning apart from the error behind it', () => {
    const stderr =
      'ipset v6.38: Kernel support protocol versions 6-7 while userspace supports protocol versions 6-6\n' +
      'Kernel and userspace incompatible: settype hash:ip with revision 6 not supported by userspace.\n';
    expect(failed(stderr)).toMatchObject({
      code: 'type-unsupported',
      scope: 'environment',
      message: 'Kernel and userspace incompatible: settype hash:ip with revision 6 not supported by userspace.',
      warnings: [expect.stringContaining('protocol versions 6-6')],
    });
  });

  it('blames no line for the end of a child by a signal, whatever it had said', () => {
    const end = { exitCode: null, signal: 'SIGKILL', stderr: '' };
    expect(classifyFailure(end)).toMatchObject({
      code: 'unknown',
      scope: 'environment',
      prefixApplied: false,
      line: null,
      message: 'ipset was ended by SIGKILL',
    });
  });

  it('has words for a child that said nothing', () => {
    expect(failed('', 1).message).toBe('ipset ended with status 1 and said nothing');
    expect(failed('', 2)).toMatchObject({ code: 'usage', line: null });
  });

  it('does not take a set name that sounds like an error for one', () => {
    expect(failed("ipset v7.17: Error in line 1: Syntax error: cannot parse it's already added: no\n").code).toBe(
      'syntax',
    );
  });
});

it('finds the warnings of a child that goes on', () => {
  expect(protocolWarnings('Warning: Kernel support protocol versions 6-6 while userspace supports 6-7\n')).toHaveLength(
    1,
  );
  expect(protocolWarnings('')).toEqual([]);
});

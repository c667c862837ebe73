import { AssertionError } from 'node:assert';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOperation } from './describe-operation.ts';
import { desiredHeader } from './desired-header.ts';
import type { SetHeader } from './header.ts';
import { parseSetHeader } from './header-words.ts';
import type { Member } from './member.ts';
import type { Operation } from './operation.ts';
import { isWritableMember, renderElement, renderOperation } from './render-operation.ts';
import type { SetName } from './set-name.ts';

const set = 'sk-v4-t.web' as SetName;
const member = (text: string) => text as Member;
const header = desiredHeader({ name: set, type: 'hash:ip', family: 'inet', maxelem: 1048576, members: 1000 });

describe('renderOperation', () => {
  it.each<[Operation, string]>([
    [{ op: 'create', set, header }, 'create sk-v4-t.web hash:ip family inet hashsize 256 maxelem 1048576'],
    [{ op: 'add', set, member: member('10.0.0.1') }, 'add sk-v4-t.web 10.0.0.1'],
    [{ op: 'add', set, member: member('10.0.0.0/8 nomatch') }, 'add sk-v4-t.web 10.0.0.0/8 nomatch'],
    [{ op: 'del', set, member: member('10.0.0.0/8 nomatch') }, 'del sk-v4-t.web 10.0.0.0/8'],
    [{ op: 'add', set, member: member('10.0.0.1,tcp:8080') }, 'add sk-v4-t.web 10.0.0.1,6:8080'],
    [{ op: 'del', set, member: member('2001:db8::1,sctp:9') }, 'del sk-v4-t.web 2001:db8::1,132:9'],
    [{ op: 'add', set, member: member('sk-v6-t.web') }, 'add sk-v4-t.web sk-v6-t.web'],
    [{ op: 'swap', from: 'sk-tmp-1' as SetName, to: set }, 'swap sk-tmp-1 sk-v4-t.web'],
    [{ op: 'destroy', set }, 'destroy sk-v4-t.web'],
  ])('writes %j', (operation, line) => {
    expect(renderOperation(operation)).toBe(line);
  });

  it('creates a set again with the header that was seen, whatever options it has', () => {
    const create = (type: string, words: string) =>
      renderOperation({ op: 'create', set, header: parseSetHeader(set, type, words) });
    const words = 'family inet6 hashsize 1024 maxelem 10 netmask 64 timeout 600 counters comment skbinfo forceadd';
    expect(create('hash:ip', `${words} bucketsize 12 initval 0x1`)).toBe(`create sk-v4-t.web hash:ip ${words}`);
    expect(create('list:set', 'size 32 timeout 60 comment')).toBe(
      'create sk-v4-t.web list:set size 32 timeout 60 comment',
    );
    expect(create('hash:ip', 'family inet hashsize 64 maxelem 10 bitmask 255.255.0.255')).toContain(
      ' bitmask 255.255.0.255',
    );
  });

  it('can take out of an adopted set what only another tool would have put in', () => {
    expect(renderOperation({ op: 'del', set, member: member('10.0.0.1,icmp:echo-request') })).toBe(
      'del sk-v4-t.web 10.0.0.1,1:echo-request',
    );
    expect(renderElement(member('10.0.0.1,254:0'), 'add')).toBe('10.0.0.1,254:0');
    expect(renderElement(member('2001:db8::1,ipv6-icmp:4/7'), 'add')).toBe('2001:db8::1,58:4/7');
  });

  it('takes everything else for a bug', () => {
    const wrong: SetHeader[] = [
      { ...header, type: 'hash:ip -exist' },
      { ...header, type: 'hash:mac' },
      { ...header, family: null },
      { ...header, maxelem: -1 },
      { ...header, maxelem: 2 ** 32 },
      { ...header, hashsize: 1.5 },
      { ...header, timeout: 2_147_484 },
      { ...header, netmask: '24 -f /etc/passwd' },
      { ...header, bitmask: '255.255.0.0/16' },
    ];
    for (const bad of wrong) expect(() => renderOperation({ op: 'create', set, header: bad })).toThrow(AssertionError);
    for (const name of ['', '-f', 'a b', 'a\nflush', 'x'.repeat(32)]) {
      expect(() => renderOperation({ op: 'destroy', set: name as SetName })).toThrow(AssertionError);
    }
  });
});

describe('hostile text', () => {
  const piece = fc.constantFrom(
    ' ',
    '\n',
    '\r',
    '\t',
    '\0',
    '"',
    "'",
    '-',
    '-f',
    '-exist',
    '-o',
    '-q',
    '-!',
    '--file',
    '/etc/shadow',
    'flush',
    'quit',
    'nomatch',
    'timeout',
    '10.0.0.1',
    '/',
    ',',
    ':',
    '::',
    'tcp:',
    '6:80',
    '0',
    'a',
    'é',
    '\u2028',
    ' nomatch',
    'localhost',
  );
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
  );
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add' as const, 'del' as const), set: hostile, member: hostile }),
    fc.record({ op: fc.constantFrom('add' as const, 'del' as const), set: fc.constant('s'), member: hostile }),
    fc.record({ op: fc.constant('swap' as const), from: hostile, to: fc.constant('s') }),
    fc.record({ op: fc.constant('destroy' as const), set: hostile }),
    fc.tuple(hostile, hostile, hostile).map(([type, netmask, bitmask]) => ({
      op: 'create' as const,
      set: 's',
      header: { ...header, type, netmask, bitmask },
    })),
    fc
      .tuple(hostile, hostile)
      .map(([netmask, bitmask]) => ({ op: 'create' as const, set: 's', header: { ...header, netmask, bitmask } })),
  );

  it('becomes one line of plain words in the place it was meant for, or nothing at all', () => {
    fc.assert(
      fc.property(operation, (raw) => {
        let line: string;
        try {
          line = renderOperation(raw as Operation);
        } catch (error) {
          expect(error).toBeInstanceOf(AssertionError);
          return;
        }
        const words = line.split(' ');
        expect(words[0]).toBe(raw.op);
        expect(line).toMatch(/^[A-Za-z0-9_.:/, -]+$/);
        for (const word of words) expect(word).toMatch(/^[A-Za-z0-9_:]/);
        if (raw.op === 'add') expect(words.length).toBe(words[3] === 'nomatch' ? 4 : 3);
        if (raw.op === 'del' || raw.op === 'swap') expect(words.length).toBe(3);
        if (raw.op === 'destroy') expect(words.length).toBe(2);
      }),
      { numRuns: 2000 },
    );
  });

  it('never writes nomatch on a del, however often a text says it', () => {
    expect(renderOperation({ op: 'del', set, member: member('10.0.0.0/8 nomatch') })).toBe(
      'del sk-v4-t.web 10.0.0.0/8',
    );
    expect(() => renderOperation({ op: 'del', set, member: member('10.0.0.0/8 nomatch nomatch') })).toThrow(
      AssertionError,
    );
  });

  it('is known beforehand: isWritableMember says exactly what renderElement will take', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const isTaken = () => {
          try {
            return renderElement(member(text), 'add') !== '';
          } catch {
            return false;
          }
        };
        expect(isWritableMember(text as Member)).toBe(isTaken());
      }),
      { numRuns: 500 },
    );
  });
});

it('says what each operation means', () => {
  expect(describeOperation({ op: 'create', set, header })).toBe(
    'Create the set sk-v4-t.web: hash:ip, IPv4, room for 1,048,576 members.',
  );
  expect(describeOperation({ op: 'add', set, member: member('10.0.0.1') })).toBe('Add 10.0.0.1 to sk-v4-t.web.');
  expect(describeOperation({ op: 'add', set, member: member('10.0.0.0/8 nomatch') })).toBe(
    'Add the exception 10.0.0.0/8 (nomatch) to sk-v4-t.web.',
  );
  expect(describeOperation({ op: 'del', set, member: member('10.0.0.0/8 nomatch') })).toBe(
    'Take 10.0.0.0/8 out of sk-v4-t.web.',
  );
  expect(describeOperation({ op: 'swap', from: 'a' as SetName, to: set })).toContain('Swap a and sk-v4-t.web');
  expect(describeOperation({ op: 'destroy', set })).toContain('Destroy the set sk-v4-t.web');
});

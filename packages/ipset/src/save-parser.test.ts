import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Anomaly } from './anomaly.ts';
import { desiredHeader } from './desired-header.ts';
import type { SetHeader } from './header.ts';
import type { Member } from './member.ts';
import type { MemberOptions } from './member-options.ts';
import { renderOperation } from './render-operation.ts';
import { SaveParser, type SaveParserOptions } from './save-parser.ts';
import type { SetName } from './set-name.ts';

interface Seen {
  readonly sets: SetHeader[];
  readonly members: [set: string, element: string, options: MemberOptions | null][];
  readonly anomalies: Anomaly[];
}

function parse(text: string | Uint8Array, options: SaveParserOptions & { chunkBytes?: number } = {}): Seen {
  const seen: Seen = { sets: [], members: [], anomalies: [] };
  const parser = new SaveParser(
    {
      onSet: (header) => seen.sets.push(header),
      onMember: (set, element, memberOptions) => seen.members.push([set, element, memberOptions]),
      onAnomaly: (anomaly) => seen.anomalies.push(anomaly),
    },
    options,
  );
  const bytes = typeof text === 'string' ? Buffer.from(text, 'utf8') : text;
  const step = options.chunkBytes ?? Math.max(bytes.length, 1);
  for (let at = 0; at < bytes.length; at += step) parser.push(bytes.subarray(at, at + step));
  parser.end();
  return seen;
}

const WEB = 'create web hash:ip family inet hashsize 64 maxelem 10\n';
const kinds = (seen: Seen) => seen.anomalies.map((anomaly) => anomaly.kind);

describe('a dump', () => {
  it('gives each member to the set whose create it follows', () => {
    const seen = parse(
      `${WEB}add web 10.0.0.1\ncreate n hash:net family inet hashsize 64 maxelem 10\nadd n 10.0.0.0/8 nomatch\n`,
    );
    expect(seen.sets.map((set) => set.name)).toEqual(['web', 'n']);
    expect(seen.members).toEqual([
      ['web', '10.0.0.1', null],
      ['n', '10.0.0.0/8', expect.objectContaining({ nomatch: true, timeout: null })],
    ]);
    expect(seen.anomalies).toEqual([]);
  });

  it('does not take a set whose name holds a newline and a member line for that member', () => {
    const seen = parse(`${WEB}create x\nadd web 6.6.6.6\nadd y hash:ip family inet hashsize 64 maxelem 10\n`);
    expect(seen.members).toEqual([]);
    expect(kinds(seen)).toEqual(['unreadable-line']);
  });

  it('does not take a member for that of a set which is not its own, or has other options', () => {
    expect(kinds(parse(`${WEB}add other 10.0.0.1\n`))).toEqual(['unknown-set']);
    expect(kinds(parse(`${WEB}create b hash:ip family inet hashsize 64 maxelem 10\nadd web 10.0.0.1\n`))).toEqual([
      'unknown-set',
    ]);
    for (const options of ['timeout 5', 'comment "x"', 'packets 1 bytes 1', 'nomatch', 'wildcard', '-exist', 'x']) {
      expect(kinds(parse(`${WEB}add web 10.0.0.1 ${options}\n`))).toEqual(['unreadable-line']);
    }
  });

  it('says when a set stands twice, or a line is none of a dump', () => {
    expect(kinds(parse(WEB + WEB))).toEqual(['duplicate-set']);
    expect(kinds(parse(`${WEB}flush web\n`))).toEqual(['unreadable-line']);
    expect(kinds(parse('create web hash:ip\n'))).toEqual(['unreadable-line']);
    expect(kinds(parse('create web bitmap:ip\ncreate l list:set\n'))).toEqual(['unreadable-line', 'unreadable-line']);
  });

  it('says which line it is, comments of several lines counted', () => {
    const seen = parse(
      'create c hash:ip family inet maxelem 9 comment\nadd c 10.0.0.1 comment "a\nb\nc"\n\nnonsense\n',
    );
    expect(seen.anomalies).toEqual([{ kind: 'unreadable-line', line: 6, text: 'nonsense', set: 'c' }]);
  });

  it('takes a quote in the name of a set for part of the name', () => {
    const seen = parse(
      'create a"b hash:ip family inet maxelem 9 comment\nadd a"b 10.0.0.1\nadd a"b 10.0.0.2 comment "x\ny"\n',
    );
    expect(seen.members).toEqual([
      ['a"b', '10.0.0.1', null],
      ['a"b', '10.0.0.2', expect.objectContaining({ comment: 'x\ny' })],
    ]);
  });

  it('does not swallow what follows a quote that no comment can close', () => {
    const rest = Array.from({ length: 30 }, (_, i) => `add c 10.0.1.${i}\n`).join('');
    const seen = parse(`create c hash:ip family inet maxelem 99 comment\nadd c 10.0.0.1 comment "open\n${rest}`);
    expect(kinds(seen)).toEqual(['unreadable-line']);
    expect(seen.members).toHaveLength(30);
  });

  it('survives a flood without a newline in bounded memory, and reads on behind it', () => {
    const seen = parse(`${'x'.repeat(300_000)}\n${WEB}add web 10.0.0.1\n`, { chunkBytes: 65536 });
    expect(kinds(seen)).toEqual(['unreadable-line']);
    expect(seen.members).toHaveLength(1);
  });

  it('ends a list member where the options that the list has begin, and tries known sets first', () => {
    const list = 'create l list:set size 8 timeout 60\n';
    expect(parse(`${list}add l a timeout 5 timeout 47\n`).members).toEqual([
      ['l', 'a timeout 5', expect.objectContaining({ timeout: 47 })],
    ]);
    expect(parse(`${list}add l  timeout 47\n`).members).toEqual([['l', '', expect.objectContaining({ timeout: 47 })]]);
    const known = 'create a b hash:ip family inet maxelem 9\n';
    expect(parse(`${known}create l list:set size 8\nadd l a b\n`).members).toEqual([['l', 'a b', null]]);
  });
});

describe('a file made by hand', () => {
  it('may have members anywhere behind their create, short creates, -exist and spaces', () => {
    const text = `create web hash:ip\ncreate a b hash:net -exist\nadd web 10.0.0.1\n  add a b 10.0.0.0/8 nomatch -exist  \nadd web 10.0.0.2 timeout 5\nCOMMIT\n`;
    const seen = parse(text, { mode: 'file' });
    expect(seen.anomalies).toEqual([]);
    expect(seen.sets.map((set) => [set.name, set.type, set.family])).toEqual([
      ['web', 'hash:ip', 'inet'],
      ['a b', 'hash:net', 'inet'],
    ]);
    expect(seen.members.map(([set, element]) => [set, element])).toEqual([
      ['web', '10.0.0.1'],
      ['a b', '10.0.0.0/8'],
      ['web', '10.0.0.2'],
    ]);
  });

  it('has what cannot be read reported, never dropped', () => {
    const seen = parse('-N old iphash\nadd nowhere 10.0.0.1\ndestroy web\n', { mode: 'file' });
    expect(kinds(seen)).toEqual(['unreadable-line', 'unknown-set', 'unreadable-line']);
  });
});

const setName = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,30}$/).map((name) => name as SetName);
const rendered = fc.uniqueArray(
  fc.record({
    name: setName,
    isIpv6: fc.boolean(),
    octets: fc.uniqueArray(fc.integer({ min: 1, max: 0xffff }), { maxLength: 8 }),
  }),
  { selector: (set) => set.name, maxLength: 6 },
);

it('reads what renderOperation writes, in chunks of any size, with or without the numeric path', () => {
  fc.assert(
    fc.property(rendered, fc.integer({ min: 1, max: 64 }), (sets, chunkBytes) => {
      const lines: string[] = [];
      const expected: [string, string, null][] = [];
      for (const { name, isIpv6, octets } of sets) {
        const family = isIpv6 ? 'inet6' : 'inet';
        const header = desiredHeader({ name, type: 'hash:net', family, maxelem: 99, members: octets.length });
        lines.push(renderOperation({ op: 'create', set: name, header }));
        for (const n of octets) {
          const member = (isIpv6 ? `2001:db8:${n.toString(16)}::/48` : `10.${n >> 8}.${n & 255}.0/24`) as Member;
          lines.push(renderOperation({ op: 'add', set: name, member }));
          expected.push([name, member, null]);
        }
      }
      const text = lines.map((line) => `${line}\n`).join('');
      const seen = parse(text, { chunkBytes });
      expect(seen.anomalies).toEqual([]);
      expect(seen.sets.map((set) => set.name)).toEqual(sets.map((set) => set.name));
      expect(seen.members).toEqual(expected);

      const numeric: [string, string, null][] = [];
      const parser = new SaveParser({
        onSet: () => {},
        onMember: (set, element) => numeric.push([set, element, null]),
        onIpv4: (set, address, length) =>
          numeric.push([
            set,
            `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}/${length}`,
            null,
          ]),
        onAnomaly: (anomaly) => expect(anomaly).toBeUndefined(),
      });
      parser.push(Buffer.from(text));
      parser.end();
      expect(numeric).toEqual(expected);
    }),
  );
});

/** Bytes of a comment: anything but a quote and a zero. */
const commentBytes = fc
  .uint8Array({ max: 255, maxLength: 60 })
  .map((bytes) => Buffer.from(bytes.filter((byte) => byte !== 34 && byte !== 0)).toString('latin1'));

it('round-trips every option exactly: counters to 2^64-1 and comments of any bytes', () => {
  const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const member = fc.record({
    timeout: fc.nat(2147483),
    packets: u64,
    bytes: u64,
    comment: commentBytes,
    isOut: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(member, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), (members, chunkBytes) => {
      const lines = members.map(
        (m, i) =>
          `add c 10.0.0.0/${i + 1} timeout ${m.timeout}${m.isOut ? ' nomatch' : ''} packets ${m.packets} bytes ${m.bytes}` +
          (m.comment === '' ? '\n' : ` comment "${m.comment}"\n`),
      );
      const create = 'create c hash:net family inet hashsize 64 maxelem 99 timeout 60 counters comment\n';
      const seen = parse(Buffer.from(create + lines.join(''), 'latin1'), { chunkBytes });
      expect(seen.anomalies).toEqual([]);
      expect(seen.members.map(([, , options]) => options)).toEqual(
        members.map((m) =>
          expect.objectContaining({
            timeout: m.timeout,
            nomatch: m.isOut,
            packets: m.packets,
            bytes: m.bytes,
            comment: m.comment === '' ? null : m.comment,
          }),
        ),
      );
    }),
  );
});

it('never throws and never makes a member of a set it has not read, on any bytes', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          'create ',
          'add ',
          'web ',
          'hash:ip ',
          'family inet ',
          'maxelem 9 ',
          'comment',
          ' comment "',
          '"',
          '\n',
          '\r\n',
          '10.0.0.1',
          ' ',
          '#',
          'list:set size 8',
        ),
      )
      .map((pieces) => Buffer.from(pieces.join(''))),
  );
  fc.assert(
    fc.property(
      noise,
      fc.constantFrom<'dump' | 'file'>('dump', 'file'),
      fc.integer({ min: 1, max: 30 }),
      (bytes, mode, chunkBytes) => {
        const seen = parse(bytes, { mode, chunkBytes });
        const names = new Set<string>(seen.sets.map((set) => set.name));
        for (const [set] of seen.members) expect(names.has(set)).toBe(true);
        expect(parse(bytes, { mode })).toEqual(seen);
      },
    ),
    { numRuns: 500 },
  );
});

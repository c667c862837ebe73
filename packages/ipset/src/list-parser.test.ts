import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Anomaly } from './anomaly.ts';
import { ListParser, parseList } from './list-parser.ts';
import { parseNames } from './names-parser.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

const head = (name: string, type = 'hash:ip', header = 'family inet hashsize 64 maxelem 10', entries = 0) =>
  `Name: ${name}\nType: ${type}\nRevision: 6\nHeader: ${header}\nSize in memory: 216\nReferences: 1\nNumber of entries: ${entries}\n`;

const parse = (text: string) => {
  const members: [string, string][] = [];
  const anomalies: Anomaly[] = [];
  const sets: string[] = [];
  const parser = new ListParser({
    onSet: (set) => sets.push(set.header.name),
    onMember: (set, element) => members.push([set, element]),
    onAnomaly: (anomaly) => anomalies.push(anomaly),
  });
  parser.push(bytes(text));
  parser.end();
  return { sets, members, kinds: anomalies.map((anomaly) => anomaly.kind) };
};

describe('a terse list', () => {
  it('gives what ipset says of each set, and keeps what no known version says', () => {
    const { sets, anomalies } = parseList(
      bytes(`${head('a')}Colour: green\n\n${head('b', 'list:set', 'size 8')}Colour: red\n`),
    );
    expect(anomalies).toEqual([]);
    expect(sets.map((set) => [set.header.name, set.header.type, set.references, set.entries, set.memoryBytes])).toEqual(
      [
        ['a', 'hash:ip', 1, 0, 216],
        ['b', 'list:set', 1, 0, 216],
      ],
    );
    expect(sets[0]?.unknown).toEqual(new Map([['Colour', 'green']]));
  });

  it('is not whole when its last set lacks what the first one has, even if it ends at a line', () => {
    const whole = `${head('a')}\n${head('b')}`;
    for (const key of ['Type', 'Header', 'Size', 'References', 'Number']) {
      const cut = whole.slice(0, whole.lastIndexOf(key));
      expect(parse(cut)).toMatchObject({ sets: ['a'], kinds: ['truncated'] });
    }
    expect(parse(whole)).toMatchObject({ sets: ['a', 'b'], kinds: [] });
  });

  it.each(['x\ny z', 'x\ny: z', 'x\nReferences: 9', 'x\nType: hash:ip'])(
    'says that a set named %j cannot be read, takes it for no other, and reads the next one',
    (name) => {
      expect(parse(`${head(name)}\n${head('b')}`)).toEqual({ sets: ['b'], members: [], kinds: ['unreadable-line'] });
      expect(parse(`${head(name)}Members:\n10.0.0.1\n\n${head('b')}Members:\n10.0.0.2\n`)).toEqual({
        sets: ['b'],
        members: [['b', '10.0.0.2']],
        kinds: ['unreadable-line'],
      });
    },
  );

  it('says when a set stands twice', () => {
    expect(parse(`${head('a')}\n${head('a')}`).kinds).toEqual(['duplicate-set']);
  });
});

describe('a full list', () => {
  it('takes a list member that looks like a head for a member, and one without a name too', () => {
    const list = `${head('l', 'list:set', 'size 8', 3)}Members:\nName: x\n\nReferences: 1\n`;
    expect(parse(`${list}\n${head('b')}Members:\n10.0.0.1\n`)).toEqual({
      sets: ['l', 'b'],
      members: [
        ['l', 'Name: x'],
        ['l', ''],
        ['l', 'References: 1'],
        ['b', '10.0.0.1'],
      ],
      kinds: [],
    });
    expect(parse(`${head('l', 'list:set', 'size 8', 1)}Members:\n\n`).members).toEqual([['l', '']]);
    expect(parse(`${head('l', 'list:set', 'size 8', 0)}Members:\n\n`).members).toEqual([]);
  });

  it('does not end a set inside a comment with blank lines and a head in it', () => {
    const header = 'family inet hashsize 64 maxelem 10 comment';
    const seen = parse(
      `${head('c', 'hash:ip', header, 2)}Members:\n10.0.0.1 comment "x\n\n${head('evil')}"\n10.0.0.2\n`,
    );
    expect(seen).toEqual({
      sets: ['c'],
      members: [
        ['c', '10.0.0.1'],
        ['c', '10.0.0.2'],
      ],
      kinds: [],
    });
  });

  it('says when a member has an option that its set cannot have', () => {
    expect(parse(`${head('a', 'hash:ip', undefined, 1)}Members:\n10.0.0.1 timeout 5\n`)).toMatchObject({
      members: [],
      kinds: ['unreadable-line'],
    });
  });
});

it('never throws, and reads the same in chunks of any size', () => {
  const noise = fc
    .array(
      fc.constantFrom(
        head('a'),
        head('b', 'list:set', 'size 8'),
        'Members:\n',
        '\n',
        'x\n',
        'Name: ',
        '10.0.0.1\n',
        '"',
        'Header: ',
        'W',
      ),
    )
    .map((pieces) => bytes(pieces.join('')));
  const read = (output: Uint8Array, chunkBytes: number) => {
    const seen: unknown[] = [];
    const parser = new ListParser({
      onSet: (set) => seen.push(set),
      onMember: (set, element, options) => seen.push([set, element, options]),
      onAnomaly: (anomaly) => seen.push(anomaly),
      onWarning: (text) => seen.push(text),
    });
    for (let at = 0; at < output.length; at += chunkBytes) parser.push(output.subarray(at, at + chunkBytes));
    parser.end();
    return seen;
  };
  fc.assert(
    fc.property(noise, fc.integer({ min: 1, max: 50 }), (output, chunkBytes) => {
      expect(read(output, chunkBytes)).toEqual(read(output, output.length + 1));
    }),
  );
});

describe('names', () => {
  it('are one a line, in order, the empty one too', () => {
    expect(parseNames(bytes('b\n\na b\nü\n'))).toEqual({ names: ['b', '', 'a b', 'ü'], anomalies: [] });
    expect(parseNames(bytes(''))).toEqual({ names: [], anomalies: [] });
  });

  it('are not whole when the last one has no newline, is too long, or stands twice', () => {
    const kinds = (text: string) => parseNames(bytes(text)).anomalies.map((anomaly) => anomaly.kind);
    expect(kinds('a\nb')).toEqual(['truncated']);
    expect(kinds(`${'a'.repeat(32)}\n`)).toEqual(['unreadable-line']);
    expect(kinds('a\na\n')).toEqual(['duplicate-set']);
  });
});

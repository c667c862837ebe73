import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Anomaly } from './anomaly.ts';
import { memberFromKernel } from './kernel-member.ts';
import { ListParser, parseList } from './list-parser.ts';
import type { MemberOptions } from './member-options.ts';
import { parseNames } from './names-parser.ts';
import { SaveParser } from './save-parser.ts';
import { commentText } from './set-name.ts';

const SAMPLES = new URL('../samples/', import.meta.url);
const sample = (file: string): Uint8Array => readFileSync(new URL(file, SAMPLES));

interface ReadMember {
  readonly set: string;
  readonly element: string;
  readonly options: MemberOptions | null;
}

interface ReadOutput {
  readonly sets: readonly string[];
  readonly members: readonly ReadMember[];
  readonly anomalies: readonly Anomaly[];
  readonly warnings: readonly string[];
}

/** Reads a sample with the parser of its form, in chunks of a size that cuts every line somewhere. */
function read(file: string, chunkBytes = 7): ReadOutput {
  const sets: string[] = [];
  const members: ReadMember[] = [];
  const anomalies: Anomaly[] = [];
  const warnings: string[] = [];
  const onMember = (set: string, element: string, options: MemberOptions | null) => {
    members.push({ set, element, options });
  };
  const onAnomaly = (anomaly: Anomaly) => {
    anomalies.push(anomaly);
  };
  const parser = file.endsWith('.save')
    ? new SaveParser({ onSet: (header) => sets.push(header.name), onMember, onAnomaly })
    : new ListParser({
        onSet: (set) => sets.push(set.header.name),
        onMember,
        onAnomaly,
        onWarning: (text) => warnings.push(text),
      });
  const bytes = sample(file);
  for (let at = 0; at < bytes.length; at += chunkBytes) parser.push(bytes.subarray(at, at + chunkBytes));
  parser.end();
  return { sets, members, anomalies, warnings };
}

/** Rows of the manifest that give counts: file, sets, members. */
const counted = readFileSync(new URL('MANIFEST.md', SAMPLES), 'utf8')
  .split('\n')
  .map((line) => /^\| ([^ ]+) \| ([0-9]+) \| ([0-9]+) \|/.exec(line))
  .filter((row) => row !== null)
  .map(([, file = '', sets, members]) => ({ file, sets: Number(sets), members: Number(members) }));

const isNames = (file: string) => file === '02-names.list';

describe('every sample of the manifest', () => {
  it('is a file, and the manifest counts all that save and list printed', () => {
    const files = readdirSync(SAMPLES).filter((file) => /\.(?:save|list|stdout|combined)$/.test(file));
    expect(counted.map((row) => row.file).sort()).toEqual(files.sort());
  });

  it.each(counted.filter((row) => !isNames(row.file)))('$file has $sets sets and $members members', (row) => {
    const output = read(row.file);
    expect(output.sets).toHaveLength(row.sets);
    expect(output.members).toHaveLength(row.members);
    expect(output.anomalies.map((anomaly) => anomaly.kind)).toEqual(
      row.file === '21-truncated.list' ? ['truncated'] : [],
    );
    expect(read(row.file, 65536)).toEqual(output);
  });

  it('02-names.list and 10-odd-names.names are lists of names', () => {
    expect(parseNames(sample('02-names.list'))).toEqual({ names: ['ks4'], anomalies: [] });
    const { names, anomalies } = parseNames(sample('10-odd-names.names'));
    expect(names).toHaveLength(19);
    expect(names).toEqual(read('10-odd-names.save').sets);
    expect(names).toContain('');
    expect(anomalies).toEqual([]);
  });
});

describe('the two forms of one state', () => {
  const key = ({ set, element, options }: ReadMember) =>
    `${set} ${element} ${JSON.stringify(options, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`;

  it.each(['01-kitchen-sink', '03-ipv6', '04-nomatch', '05-ports', '06-listset', '07-bitmap', '08-iface-netmask'])(
    '%s reads the same from save and from list',
    (name) => {
      const withoutTime = (member: ReadMember) => key(member).replace(/"timeout":[0-9]+/, '"timeout":1');
      const save = read(`${name}.save`);
      const list = read(`${name}.list`);
      expect(save.sets).toEqual(list.sets);
      expect(save.members.map(withoutTime).sort()).toEqual(list.members.map(withoutTime).sort());
    },
  );

  it('is the same members where a host has no /etc/protocols', () => {
    const portsOf = (file: string) =>
      read(file).members.map((member) => memberFromKernel('hash:ip,port', 'inet', member.element, false));
    expect(portsOf('05-ports-no-etc-protocols.save')).toEqual(portsOf('05-ports.save'));
  });

  it('is the same with CR LF', () => {
    expect(read('21-crlf.save').members).toEqual(read('12-mixed-created-by-6.29-and-7.17.save').members);
  });
});

describe('what the samples hold', () => {
  it('counters are exact, and a comment that looks like options is a comment', () => {
    const { members } = read('01-kitchen-sink.save');
    const of = (element: string) => members.find((member) => member.element === element)?.options;
    expect(of('192.0.2.8')).toMatchObject({ packets: 18446744073709551614n, bytes: 18446744073709551614n });
    expect(of('192.0.2.2')).toMatchObject({ comment: 'timeout 5 packets 9 bytes 9', packets: 0n });
    expect(of('192.0.2.1')).toMatchObject({ timeout: 99, skbmark: '0x10/0xff', skbprio: '1:10', skbqueue: '5' });
    expect(of('192.0.2.3')).toMatchObject({ timeout: 0, comment: null });
    expect(commentText(of('192.0.2.6')?.comment ?? '')).toBe('naïve – ünïcode');
  });

  it('comments keep newlines and text that looks like commands', () => {
    const { members } = read('09-newline-comment.save');
    expect(members.map((member) => member.options?.comment)).toEqual([
      'two\nlines',
      'x\nadd nl 203.0.113.66\ncreate evil hash:ip',
      'plain',
      'tab\there',
    ]);
  });

  it('comments keep bytes that are no UTF-8', () => {
    expect(read('09-latin1-comment.save').members[0]?.options?.comment).toBe('caf\xe9');
  });

  it('odd names own their members', () => {
    expect(read('10-odd-names.save').members.map(({ set, element }) => [set, element])).toEqual([
      ['has space', '192.0.2.3'],
      ['', '192.0.2.4'],
      ['Case', '192.0.2.1'],
      ['case', '192.0.2.2'],
      ['timeout', '192.0.2.5'],
    ]);
  });

  it('a list with an expired member shows the entries the kernel counts beside the one that lives', () => {
    expect(parseList(sample('06-listset-expired-member.list')).sets[0]).toMatchObject({ entries: 2, references: 0 });
  });

  it('a terse list gives references, sizes and revisions; an old one leaves out what it does not print', () => {
    const terse = parseList(sample('13-holders.list')).sets;
    expect(terse.map((set) => [set.header.name, set.references])).toEqual([
      ['blk', 4],
      ['blk6', 1],
      ['wl', 3],
      ['odd name', 1],
      ['lg', 1],
      ['grp', 1],
    ]);
    expect(terse[0]).toMatchObject({ revision: 6, memoryBytes: 216, entries: 0, header: { family: 'inet' } });
    expect(parseList(sample('17-no-number-of-entries.list')).sets.map((set) => set.entries)).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('warnings before the first set are warnings', () => {
    expect(read('19-warning-before-list.combined').warnings).toEqual([
      expect.stringMatching(/^Warning: Kernel support/),
    ]);
    expect(read('19-version-mismatch.combined').warnings).toHaveLength(2);
  });

  it('a cut list ends in an anomaly, and the set it was cut in is not content', () => {
    const { sets, anomalies } = read('21-truncated.list');
    expect(sets.at(-1)).toBe('KUBE-LOAD-BALANCER-SOURCE-CIDR');
    expect(anomalies).toEqual([expect.objectContaining({ kind: 'truncated', text: 'Name: KUBE-NODE-PORT-' })]);
  });

  it('any cut of any sample inside a line is said', () => {
    for (const { file } of counted.filter((row) => !isNames(row.file) && row.sets > 0 && row.members < 100)) {
      const bytes = sample(file);
      for (let end = 1; end < bytes.length; end++) {
        if (bytes[end - 1] === 10) continue;
        const anomalies: Anomaly[] = [];
        const handlers = { onSet: () => {}, onMember: () => {}, onAnomaly: (found: Anomaly) => anomalies.push(found) };
        const parser = file.endsWith('.save') ? new SaveParser(handlers) : new ListParser(handlers);
        parser.push(bytes.subarray(0, end));
        parser.end();
        if (anomalies.length !== 1) expect({ file, end, anomalies }).toBe('one anomaly');
      }
    }
  });
});

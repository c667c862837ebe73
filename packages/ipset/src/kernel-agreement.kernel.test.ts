import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchAddress } from './address-match.ts';
import { canonicalMember } from './canonical-member.ts';
import { desiredHeader } from './desired-header.ts';
import type { Family } from './family.ts';
import type { SetHeader } from './header.ts';
import { headerDifferences } from './header-differences.ts';
import { expandMembers, foldElements } from './kernel-elements.ts';
import { memberFromKernel } from './kernel-member.ts';
import { parseList } from './list-parser.ts';
import type { Member } from './member.ts';
import { sortMembers } from './member-order.ts';
import type { Operation } from './operation.ts';
import { renderOperation } from './render-operation.ts';
import { classifyFailure } from './restore-failure.ts';
import { SaveParser } from './save-parser.ts';
import type { SetName } from './set-name.ts';
import type { ManagedType } from './set-type.ts';

/** Runs a shell script in a network namespace that lives as long as it does; standard input is the script's. */
function inNamespace(script: string, input: string) {
  return spawnSync('unshare', ['-n', 'sh', '-c', script], {
    input,
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, LC_ALL: 'C' },
  });
}

const probe = inNamespace('ipset create probe hash:ip', '');
const obstacle = probe.status === 0 ? undefined : `no ipset in a namespace here: ${probe.stderr ?? probe.error}`;
if (obstacle !== undefined) console.warn(`SKIPPED: ${obstacle}`);

const script = (operations: readonly Operation[]) =>
  operations.map((operation) => `${renderOperation(operation)}\n`).join('');

/** All sets of a save with their members as the agent would see them. */
function read(save: Uint8Array): ReadonlyMap<string, { readonly header: SetHeader; readonly members: Member[] }> {
  const sets = new Map<string, { readonly header: SetHeader; readonly members: Member[] }>();
  const parser = new SaveParser({
    onSet: (header) => sets.set(header.name, { header, members: [] }),
    onMember: (name, element, options) => {
      const set = sets.get(name);
      set?.members.push(memberFromKernel(set.header.type, set.header.family, element, options?.nomatch ?? false));
    },
    onAnomaly: (anomaly) => expect(anomaly).toBeUndefined(),
  });
  parser.push(save);
  parser.end();
  return sets;
}

const address = { inet: fc.ipV4(), inet6: fc.ipV6() };
const flag = fc.constantFrom('', '', ' nomatch');
const port = fc.tuple(fc.constantFrom('tcp', 'udp', 'sctp'), fc.integer({ min: 1, max: 65535 }));

function texts(type: ManagedType, family: Family): fc.Arbitrary<string> {
  if (type === 'hash:ip') return address[family];
  if (type === 'hash:ip,port') {
    return fc.tuple(address[family], port).map(([text, [protocol, number]]) => `${text},${protocol}:${number}`);
  }
  const length = fc.nat(family === 'inet' ? 32 : 128);
  return fc.tuple(address[family], length, flag).map(([text, bits, out]) => `${text}/${bits}${out}`);
}

/** Canonical members of random texts, each key once, and with a /0 in networks. */
function members(type: ManagedType, family: Family, count: number, seed: number): Member[] {
  const whole = family === 'inet' ? '0.0.0.0/0' : '::/0';
  const drawn = fc.sample(texts(type, family), { numRuns: count, seed });
  const canonical = (type === 'hash:net' ? [...drawn, whole] : drawn).flatMap((text) => {
    const result = canonicalMember(type, family, text);
    return result.ok ? [result.member] : [];
  });
  return foldElements(expandMembers(canonical));
}

describe.skipIf(obstacle !== undefined)('the real kernel', () => {
  const kinds = (['hash:ip', 'hash:net', 'hash:ip,port'] as const).flatMap((type) =>
    (['inet', 'inet6'] as const).map((family) => ({ type, family })),
  );

  it.each(kinds)('prints members of $type in $family as canonicalMember writes them, and keeps our header', (kind) => {
    const set = 'sk-v4-t.x' as SetName;
    const wanted = members(kind.type, kind.family, 300, 11);
    const header = desiredHeader({ name: set, ...kind, maxelem: 5000, members: wanted.length });
    const create: Operation = { op: 'create', set, header };
    const adds = expandMembers(wanted).map((member): Operation => ({ op: 'add', set, member }));
    const run = inNamespace('ipset restore && ipset save', script([create, ...adds]));
    expect(run.stderr.toString()).toBe('');
    const seen = read(run.stdout).get(set);
    expect(sortMembers(foldElements(seen?.members ?? []))).toEqual(sortMembers(wanted));
    expect(seen && headerDifferences(header, seen.header)).toEqual([]);
  });

  it.each(kinds)('takes out of $type in $family what was put in', (kind) => {
    const set = 'x' as SetName;
    const elements = expandMembers(members(kind.type, kind.family, 100, 12));
    const header = desiredHeader({ name: set, ...kind, maxelem: 5000, members: 1 });
    const operations: Operation[] = [
      { op: 'create', set, header },
      ...elements.map((member): Operation => ({ op: 'add', set, member })),
      ...elements.map((member): Operation => ({ op: 'del', set, member })),
    ];
    const run = inNamespace('ipset restore && ipset list -t', script(operations));
    expect(run.stderr.toString()).toBe('');
    expect(parseList(run.stdout).sets.map((seen) => seen.entries)).toEqual([0]);
  });

  it('accepts the create of a list again, however many members it has', () => {
    const list = 'sk-l.x' as SetName;
    const names = Array.from({ length: 30 }, (_, i) => `m${i}` as SetName);
    const header = (type: ManagedType, name: SetName) =>
      desiredHeader({ name, type, family: type === 'list:set' ? null : 'inet', maxelem: 10, members: 30 });
    const creates: Operation[] = [
      ...names.map((set): Operation => ({ op: 'create', set, header: header('hash:ip', set) })),
      { op: 'create', set: list, header: header('list:set', list) },
    ];
    const adds = names.map((name): Operation => ({ op: 'add', set: list, member: name as string as Member }));
    const run = inNamespace('ipset -exist restore && ipset save', script([...creates, ...adds, ...creates]));
    expect(run.stderr.toString()).toBe('');
    expect(read(run.stdout).get(list)?.members).toEqual(names);
  });

  it.each(['inet', 'inet6'] as const)('decides about addresses in %s as matchAddress does', (family) => {
    const set = 'n' as SetName;
    // A small space, so that networks lie in each other.
    const near = family === 'inet' ? '10.0.0.' : '2001:db8::';
    const width = family === 'inet' ? 32 : 128;
    const network = fc
      .tuple(fc.nat(99), fc.integer({ min: width - 8, max: width }), flag)
      .map(([last, bits, out]) => `${near}${last}/${bits}${out}`);
    const drawn = fc.sample(network, { numRuns: 40, seed: 13 }).flatMap((text) => {
      const result = canonicalMember('hash:net', family, text);
      return result.ok ? [result.member] : [];
    });
    const elements = expandMembers(drawn);
    const header = desiredHeader({ name: set, type: 'hash:net', family, maxelem: 999, members: 40 });
    const operations: Operation[] = [
      { op: 'create', set, header },
      ...elements.map((member): Operation => ({ op: 'add', set, member })),
    ];
    const tested = Array.from({ length: 120 }, (_, i) => `${near}${i}`);
    const run = inNamespace(
      `ipset restore && for a in ${tested.join(' ')}; do ipset -q test n $a && echo $a; done; true`,
      script(operations),
    );
    expect(run.stderr.toString()).toBe('');
    const matched = tested.filter((text) => matchAddress(text, header, elements).matched);
    expect(run.stdout.toString().split('\n').slice(0, -1)).toEqual(matched);
    expect(matched.length).toBeGreaterThan(10);
    expect(matched.length).toBeLessThan(tested.length);
  });

  it('refuses what is refused here before it is sent, and words it as the classes know', () => {
    const lines = [
      ['add a 0.0.0.0', 'null-element'],
      ['add n 0.0.0.0/0', 'bad-cidr'],
      ['add a 10.0.0.1 timeout 5', 'option-unsupported'],
      ['create a hash:net', 'set-exists'],
      ['swap a n', 'type-mismatch'],
      ['swap a none', 'swap-missing'],
      ['add none 10.0.0.1', 'set-missing'],
      ['del a 10.0.0.1', 'absent'],
      ['add l none', 'list-member'],
      ['destroy a', 'set-in-use'],
      ['nonsense', 'usage'],
    ] as const;
    const creates = 'create a hash:ip\ncreate n hash:net\ncreate l list:set\nadd l a\n';
    for (const [line, code] of lines) {
      const run = inNamespace('ipset restore', `${creates}${line}\n`);
      const failure = classifyFailure({ exitCode: run.status, signal: run.signal, stderr: run.stderr.toString() });
      expect([line, failure.code, failure.line]).toEqual([line, code, code === 'usage' ? null : 5]);
    }
  });
});

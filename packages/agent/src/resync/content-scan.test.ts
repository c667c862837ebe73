import type { Family, Member, SetName } from '@setkeeper/ipset';
import { parseGroupId, SaveParser } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import type { KernelReader } from '../kernel/kernel-reader.ts';
import type { DesiredElements } from '../sets/desired-elements.ts';
import { ManagedSet } from '../sets/managed-set.ts';
import { setKey } from '../sets/set-key.ts';
import { scanContents } from './content-scan.ts';

const desired = (...members: readonly string[]): DesiredElements => {
  const wanted = new Set(members as readonly Member[]);
  return {
    count: wanted.size,
    isPlain: true,
    hasFlags: false,
    members: wanted.size,
    has: (element) => wanted.has(element),
    elements: () => wanted,
    change: (delta) => delta,
    logical: (element) => element,
    logicalCount: (elements) => elements.size,
  };
};
const managed = (name: string, members: readonly string[], family: Family = 'inet'): ManagedSet => {
  const group = parseGroupId(`tag:${name}`);
  if (!group.ok) throw new Error(group.reason);
  const set = new ManagedSet({
    key: setKey(group.id, family),
    group: group.id,
    kind: 'tag',
    family,
    name: name as SetName,
    type: 'hash:ip',
    isHandedOver: false,
    desired: desired(...members),
    maxelem: 100,
  });
  set.ledger.becomeKnown(new Set(), new Set());
  return set;
};
const readerOf = (text: string, during: () => void = () => {}): KernelReader => {
  const unused = () => Promise.reject(new Error('not asked for here'));
  return {
    headers: unused,
    header: unused,
    members: unused,
    dumps: async () => [],
    everything: async (visitor) => {
      const parser = new SaveParser(visitor);
      parser.push(Buffer.from(text));
      during();
      parser.end();
      return { ok: true, value: { sets: 0, members: 0 }, at: 0, warnings: [] };
    },
  };
};
const save = (sets: Record<string, readonly string[]>): string =>
  Object.entries(sets)
    .map(([name, members]) =>
      [
        `create ${name} hash:ip family inet hashsize 64 maxelem 100`,
        ...members.map((member) => `add ${name} ${member}`),
      ]
        .map((line) => `${line}\n`)
        .join(''),
    )
    .join('');
const names = (sets: readonly ManagedSet[]): readonly string[] => sets.map(({ name }) => name);

describe('scanContents', () => {
  const right = managed('right', ['10.0.0.1', '10.0.0.2']);
  const short = managed('short', ['10.0.0.1', '10.0.0.2']);
  const long = managed('long', ['10.0.0.1']);
  const other = managed('other', ['10.0.0.1', '10.0.0.2']);
  const all = new Map([right, short, long, other].map((set) => [set.name as string, set]));
  const text = save({
    foreign: ['10.9.9.9'],
    right: ['10.0.0.2', '10.0.0.1'],
    short: ['10.0.0.1'],
    long: ['10.0.0.1', '10.0.0.9'],
    other: ['10.0.0.1', '10.0.0.9'],
  });

  it('suspects sets that hold less, more or something else, and no others', async () => {
    const result = await scanContents(readerOf(text), (name) => all.get(name));
    expect(names(result.suspects)).toEqual(['short', 'long', 'other']);
    expect([result.compared, result.unclear, result.fault]).toEqual([4, [], null]);
  });

  it('takes for right what is pending, parked or withheld by our own doing', async () => {
    const set = managed('set', ['10.0.0.1', '10.0.0.2']);
    set.ledger.becomeKnown(new Set(['10.0.0.2' as Member]), new Set(['10.0.0.7' as Member]));
    const result = await scanContents(readerOf(save({ set: ['10.0.0.1', '10.0.0.7'] })), () => set);
    expect(result.suspects).toEqual([]);
  });

  it('concludes nothing of a set that changed by our own doing meanwhile', async () => {
    const set = managed('set', ['10.0.0.1']);
    const changes = () => set.ledger.deleted('10.0.0.1' as Member);
    const result = await scanContents(readerOf(save({ set: ['10.0.0.9'] }), changes), () => set);
    expect([result.suspects, names(result.unclear)]).toEqual([[], ['set']]);
  });

  it('believes nothing of a reading that failed', async () => {
    const fault = { code: 'partial', message: 'cut', raw: '' } as const;
    const reader: KernelReader = { ...readerOf(text), everything: async () => ({ ok: false, fault, at: 0 }) };
    expect(await scanContents(reader, (name) => all.get(name))).toMatchObject({ suspects: [], compared: 0, fault });
  });
});

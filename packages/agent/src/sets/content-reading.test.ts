import type { Family, GroupId, Member } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import { createMembership } from '../membership/create-membership.ts';
import { objectKey } from '../model/objects.ts';
import { ContentReading } from './content-reading.ts';
import { Ledger } from './ledger.ts';
import { PlainElements } from './plain-elements.ts';

const group = 'tag:t' as GroupId;
const desiredOf = (family: Family, ...addresses: string[]) => {
  const membership = createMembership();
  const change = (after: readonly string[]) =>
    membership.apply([
      {
        key: objectKey('profile', 'p'),
        before: null,
        after: { kind: 'profile', id: 'p', tags: ['t'] },
        origin: { source: 's' },
      },
      {
        key: objectKey('endpoint', 'e'),
        before: null,
        after: {
          kind: 'endpoint',
          id: 'e',
          profiles: ['p'],
          ipv4: (family === 'inet' ? after : []) as Member[],
          ipv6: (family === 'inet6' ? after : []) as Member[],
          ports: new Map(),
          active: true,
        },
        origin: { source: 's' },
      },
    ]).groups;
  change(addresses);
  const desired = new PlainElements(membership, group, family);
  const ledger = new Ledger(desired);
  return {
    ledger,
    desired,
    change: (...after: string[]) => {
      for (const { appeared, disappeared } of change(after)) ledger.desiredChanged(appeared, disappeared);
    },
  };
};
const reading = (
  of: ReturnType<typeof desiredOf>,
  family: Family,
  more: { expected?: number | null; keepsAll?: boolean } = {},
) => new ContentReading({ ...of, type: 'hash:ip', family, expected: 10, keepsAll: false, ...more });

describe('a reading of a set', () => {
  it('finds what is missing and what is too much, of numbers and of texts', () => {
    const of = desiredOf('inet', '10.0.0.1', '10.0.0.2', '10.0.0.3');
    const numbers = reading(of, 'inet');
    numbers.sawIpv4(0x0a000001, 32);
    numbers.sawIpv4(0x0a000009, 32);
    expect(numbers.finish()).toMatchObject({
      kind: 'content',
      missing: new Set(['10.0.0.2', '10.0.0.3']),
      extra: new Set(['10.0.0.9']),
      elements: 2,
    });
    const texts = reading(of, 'inet');
    for (const each of ['10.0.0.1', '10.0.0.2', '10.0.0.3']) texts.sawElement(each, false);
    expect(texts.finish()).toMatchObject({ missing: new Set(), extra: new Set() });
  });

  it('asks to be read again where something is missing of a large set whose texts were not kept', () => {
    const of = desiredOf('inet6', '2001:db8::1', '2001:db8::2');
    const first = reading(of, 'inet6', { expected: 1_000_000 });
    first.sawElement('2001:db8::1', false);
    expect(first.finish()).toEqual({ kind: 'read-again' });
    const second = reading(of, 'inet6', { expected: 1_000_000, keepsAll: true });
    second.sawElement('2001:db8::1', false);
    expect(second.finish()).toMatchObject({ missing: new Set(['2001:db8::2']) });
  });

  it('takes what changed meanwhile for what it should not be', () => {
    const of = desiredOf('inet', '10.0.0.1', '10.0.0.2');
    const read = reading(of, 'inet');
    read.sawIpv4(0x0a000001, 32);
    read.sawIpv4(0x0a000002, 32);
    of.change('10.0.0.2', '10.0.0.3');
    const content = read.finish();
    expect(content).toMatchObject({
      kind: 'content',
      missing: new Set(['10.0.0.3']),
      extra: new Set(['10.0.0.1']),
      touched: new Set(['10.0.0.1', '10.0.0.3']),
    });
  });

  it('is void when the content was replaced meanwhile', () => {
    const of = desiredOf('inet', '10.0.0.1');
    const read = reading(of, 'inet');
    of.ledger.becomeAbsent();
    expect(read.finish()).toEqual({ kind: 'void' });
  });
});

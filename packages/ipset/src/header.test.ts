import { describe, expect, it } from 'vitest';
import { desiredHeader } from './desired-header.ts';
import { headerDifferences } from './header-differences.ts';
import { parseSetHeader } from './header-words.ts';
import type { SetName } from './set-name.ts';

const name = 'sk-v4-t.web' as SetName;
const wanted = desiredHeader({ name, type: 'hash:ip', family: 'inet', maxelem: 1048576, members: 0 });
const seen = (words: string, type = 'hash:ip') => parseSetHeader(name, type, words);

describe('parseSetHeader', () => {
  it('reads every word that ipset prints, and keeps those it does not know', () => {
    const header = seen(
      'family inet hashsize 1024 maxelem 4096 timeout 3600 counters comment skbinfo bucketsize 12 initval 0x7828c2bc ',
    );
    expect(header).toMatchObject({
      family: 'inet',
      hashsize: 1024,
      maxelem: 4096,
      timeout: 3600,
      counters: true,
      comment: true,
      skbinfo: true,
      forceadd: false,
      netmask: null,
      size: null,
    });
    expect(header.raw.get('initval')).toBe('0x7828c2bc');
    expect(header.raw.get('counters')).toBe('');
  });

  it('reads on behind a word of a future version, whether it is a flag or has a value', () => {
    const header = seen('family inet6 newflag hashsize 64 newvalue 7 maxelem 10 lastflag');
    expect(header).toMatchObject({ family: 'inet6', hashsize: 64, maxelem: 10 });
    expect(Object.fromEntries(header.raw)).toMatchObject({ newflag: '', newvalue: '7', lastflag: '' });
  });

  it('takes a hash type without a family for IPv4, and gives none to types that have none', () => {
    expect(seen('hashsize 64').family).toBe('inet');
    expect(seen('hashsize 64', 'hash:mac').family).toBeNull();
    expect(seen('range 0-100', 'bitmap:port').family).toBeNull();
    expect(seen('size 8', 'list:set')).toMatchObject({ family: null, size: 8 });
  });

  it('keeps words that are names of object properties apart from them', () => {
    expect(seen('__proto__ 1 constructor 2').raw.get('__proto__')).toBe('1');
  });
});

describe('desiredHeader', () => {
  it.each([
    [0, 64],
    [256, 64],
    [257, 128],
    [100_000, 32_768],
    [1_000_000, 262_144],
  ])('presizes for %d members with hashsize %d', (members, hashsize) => {
    expect(desiredHeader({ name, type: 'hash:ip', family: 'inet', maxelem: 10, members }).hashsize).toBe(hashsize);
  });

  it("keeps a list at ipset's own size whatever it holds, so that create -exist never fails", () => {
    const list = (members: number) => desiredHeader({ name, type: 'list:set', family: null, maxelem: 10, members });
    expect(list(3)).toMatchObject({ family: null, size: 8, maxelem: null, hashsize: null });
    expect(list(3000)).toEqual(list(3));
  });
});

describe('headerDifferences', () => {
  it('never compares what grows or differs by version', () => {
    expect(headerDifferences(wanted, seen('family inet hashsize 4096 maxelem 1048576'))).toEqual([]);
    expect(
      headerDifferences(wanted, seen('family inet hashsize 1024 maxelem 1048576 bucketsize 12 initval 0x1')),
    ).toEqual([]);
    const list = desiredHeader({ name, type: 'list:set', family: null, maxelem: 1, members: 1 });
    expect(headerDifferences(list, seen('size 32', 'list:set'))).toEqual([]);
  });

  it('finds another type or family, which no swap can repair', () => {
    expect(headerDifferences(wanted, seen('family inet6 hashsize 64 maxelem 1048576', 'hash:net'))).toEqual([
      { field: 'type', wanted: 'hash:ip', seen: 'hash:net', repair: 'recreate' },
      { field: 'family', wanted: 'inet', seen: 'inet6', repair: 'recreate' },
    ]);
  });

  it.each([
    ['maxelem 65536', { field: 'maxelem', wanted: '1048576', seen: '65536' }],
    ['maxelem 1048576 timeout 0', { field: 'timeout', wanted: 'none', seen: '0' }],
    ['maxelem 1048576 counters', { field: 'counters', wanted: 'no', seen: 'yes' }],
    ['maxelem 1048576 comment', { field: 'comment', wanted: 'no', seen: 'yes' }],
    ['maxelem 1048576 skbinfo', { field: 'skbinfo', wanted: 'no', seen: 'yes' }],
    ['maxelem 1048576 forceadd', { field: 'forceadd', wanted: 'no', seen: 'yes' }],
    ['maxelem 1048576 netmask 24', { field: 'netmask', wanted: 'none', seen: '24' }],
    ['maxelem 1048576 bitmask 255.255.0.255', { field: 'bitmask', wanted: 'none', seen: '255.255.0.255' }],
  ])('finds "%s", which a swap repairs', (words, difference) => {
    expect(headerDifferences(wanted, seen(`family inet hashsize 64 ${words}`))).toEqual([
      { ...difference, repair: 'swap' },
    ]);
  });
});

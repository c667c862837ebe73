import { expect, it } from 'vitest';
import { parseNetlinkDumps } from './running-dumps.ts';

it('finds the netfilter sockets that dump, and no others', () => {
  const table = [
    'sk               Eth Pid        Groups   Rmem     Wmem     Dump  Locks    Drops    Inode',
    '0000000030d47105 0   0          00000000 0        0        0     2        0        4',
    '00000000d751302c 12  4711       00000000 0        0        1     3        0        557',
    '00000000d751302d 12  4712       00000000 0        0        0     3        0        558',
    '00000000d751302e 16  4713       00000000 0        0        1     3        0        559',
    '',
  ].join('\n');
  expect(parseNetlinkDumps(table)).toEqual([4711]);
});

it('finds nothing in a table of another form', () => {
  expect(parseNetlinkDumps('')).toEqual([]);
  expect(parseNetlinkDumps('a b c\n1 2 3\n')).toEqual([]);
});

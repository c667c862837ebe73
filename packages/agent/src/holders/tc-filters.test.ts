import { describe, expect, it } from 'vitest';
import { KnownNames } from './known-names.ts';
import { parseTcDevices, parseTcFilters } from './tc-filters.ts';

describe('parseTcDevices', () => {
  it('asks only where filters can be', () => {
    const text =
      'qdisc noqueue 0: dev lo root refcnt 2 \nqdisc clsact ffff: dev lo parent ffff:fff1 \nqdisc prio 1: dev eth0 root refcnt 2 bands 3\nqdisc noqueue 0: dev eth1 root refcnt 2\n';
    expect([...parseTcDevices(text)]).toEqual([
      ['lo', ['ingress', 'egress']],
      ['eth0', ['root']],
    ]);
  });
});

describe('parseTcFilters', () => {
  it('finds each ematch of a set, negated ones and names with spaces too', () => {
    const text =
      'filter parent ffff: protocol ip pref 49152 basic chain 0 \nfilter parent ffff: protocol ip pref 49152 basic chain 0 handle 0x1 flowid 1:1 \n  ipset(wl src)\n  AND NOT ipset(odd name src,dst)\n';
    expect(parseTcFilters(text, 'lo', 'ingress', new KnownNames(['wl', 'odd name', 'odd']))).toEqual([
      [
        'wl',
        {
          kind: 'tc',
          where: 'dev lo ingress: filter parent ffff: protocol ip pref 49152 basic chain 0 handle 0x1 flowid 1:1 ',
          rule: 'ipset(wl src)',
          count: 1,
        },
      ],
      ['odd name', expect.objectContaining({ rule: 'AND NOT ipset(odd name src,dst)' })],
    ]);
  });
});

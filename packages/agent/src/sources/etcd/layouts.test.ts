import { describe, expect, it } from 'vitest';
import { CalicoV1Layout } from './calico-v1-layout.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import { SetkeeperLayout } from './setkeeper-layout.ts';

const set = (layout: EtcdLayout, key: string, value: unknown, isText = true) =>
  layout.set({ key, isText, value: value === null || typeof value === 'string' ? value : JSON.stringify(value) });
/** What the changes since the last call say: the text, `!` for faulty, `-` for gone. */
const said = (layout: EtcdLayout) =>
  Object.fromEntries(
    [...layout.take()].map(([key, laidOut]) => [
      key,
      laidOut.is === 'value' ? laidOut.text : laidOut.is === 'faulty' ? '!' : '-',
    ]),
  );

describe('the layout setkeeper', () => {
  it('reads one object a key, with slashes in its id', () => {
    const layout = new SetkeeperLayout();
    set(layout, 'profiles/web', { tags: ['b', 'a'] });
    set(layout, 'endpoints/node-a/k8s/shop.cart-1/eth0', { profiles: ['web'], ipv4: ['10.0.0.1/32'] });
    set(layout, 'references/policy/x', ['tag:a']);
    set(layout, 'hosts/gone', null);
    expect(said(layout)).toEqual({
      'profile/web': '{"tags":["a","b"]}',
      'endpoint/node-a/k8s/shop.cart-1/eth0': '{"profiles":["web"],"ipv4":["10.0.0.1"]}',
      'references/policy/x': '{"groups":["tag:a"]}',
      'host/gone': '-',
    });
    expect(said(layout)).toEqual({});
  });

  it('has faults with key, line and path until the key is right or gone', () => {
    const layout = new SetkeeperLayout();
    set(layout, 'endpoints/e', '{\n"ipv4": ["10.0.0.0/24"]}');
    set(layout, 'networks/n', { files: ['x'] });
    set(layout, 'profiles/p', 'x', false);
    set(layout, 'profiles/q', '{} {}');
    set(layout, 'nothing/x', {});
    set(layout, 'profiles/', {});
    set(layout, 'stray', {});
    expect(said(layout)).toEqual({ 'endpoint/e': '!', 'network/n': '!', 'profile/p': '!', 'profile/q': '!' });
    expect(layout.faults().map(({ file, line, path }) => `${file} ${line} ${path}`)).toEqual([
      'endpoints/e 2 endpoints.e.ipv4[0]',
      'networks/n 1 networks.n.files',
      'profiles/p 1 profiles/p',
      'profiles/q 1 profiles.q',
      'nothing/x 1 nothing/x',
      'profiles/ 1 profiles/',
      'stray 1 stray',
    ]);
    set(layout, 'endpoints/e', { ipv4: ['10.0.0.1'] });
    for (const key of ['networks/n', 'profiles/p', 'profiles/q', 'nothing/x', 'profiles/', 'stray'])
      set(layout, key, null);
    expect(layout.faults()).toEqual([]);
  });
});

describe('the layout calico-v1', () => {
  const workload = (host: string, id: string) => `host/${host}/workload/k8s/shop.${id}/endpoint/eth0`;
  const endpoint = (more: object) => ({ state: 'active', profile_ids: ['web'], ipv4_nets: ['10.0.0.1/32'], ...more });

  it('reads tags, endpoints and host addresses, and leaves the rest alone', () => {
    const layout = new CalicoV1Layout('node-a');
    set(layout, 'policy/profile/web/tags', ['frontend', 'web']);
    set(layout, workload('node-a', 'one'), endpoint({ ipv6_nets: ['2001:db8::1/128'], mac: 'x', name: 'cali1' }));
    set(layout, workload('node-b', 'two'), endpoint({ profile_ids: undefined, profile_id: 'web', state: 'inactive' }));
    set(layout, 'host/node-a/endpoint/eth1', { profile_ids: ['web'], ipv4_nets: [] });
    set(layout, 'host/node-a/bird_ip', '192.0.2.1');
    set(layout, 'host/node-a/bird6_ip', '2001:db8::9');
    set(layout, 'host/node-c/bird_ip', '');
    set(layout, 'config/InterfacePrefix', 'cali');
    set(layout, 'Ready', 'true');
    expect(said(layout)).toEqual({
      'profile/web': '{"tags":["frontend","web"]}',
      'endpoint/node-a/k8s/shop.one/eth0': '{"profiles":["web"],"ipv4":["10.0.0.1"],"ipv6":["2001:db8::1"]}',
      'endpoint/node-b/k8s/shop.two/eth0': '{"profiles":["web"],"ipv4":["10.0.0.1"],"active":false}',
      'endpoint/node-a/endpoint/eth1': '{"profiles":["web"]}',
      'host/node-a': '{"ipv4":"192.0.2.1","ipv6":"2001:db8::9"}',
      'host/node-c': '-',
      'references/profile/web': '-',
    });
    expect(layout.faults()).toEqual([]);
    set(layout, 'host/node-a/bird6_ip', null);
    expect(said(layout)).toEqual({ 'host/node-a': '{"ipv4":"192.0.2.1"}' });
  });

  it('makes references of the tags in rules while this host has an active endpoint of the profile', () => {
    const layout = new CalicoV1Layout('node-a');
    const rules = {
      inbound_rules: [{ src_tag: 'web' }, { action: 'deny' }],
      outbound_rules: [{ dst_tag: 'db', '!dst_tag': 'x' }],
    };
    const references = '{"groups":["tag:db","tag:web","tag:x"],"hosts":["node-a"]}';
    set(layout, 'policy/profile/web/rules', rules);
    set(layout, workload('node-b', 'far'), endpoint({}));
    expect(said(layout)['references/profile/web']).toBe('-');
    set(layout, workload('node-a', 'near'), endpoint({}));
    expect(said(layout)['references/profile/web']).toBe(references);
    set(layout, workload('node-a', 'other'), endpoint({}));
    set(layout, workload('node-a', 'near'), endpoint({ state: 'inactive' }));
    expect(said(layout)['references/profile/web']).toBe(references);
    set(layout, workload('node-a', 'other'), null);
    expect(said(layout)['references/profile/web']).toBe('-');
    set(layout, workload('node-a', 'near'), endpoint({}));
    set(layout, 'policy/profile/web/rules', { inbound_rules: 5 });
    expect(said(layout)['references/profile/web']).toBe('!');
    expect(layout.faults()).toMatchObject([{ file: 'policy/profile/web/rules', path: 'references.profile/web' }]);
    set(layout, 'policy/profile/web/rules', null);
    expect(said(layout)['references/profile/web']).toBe('-');
  });

  it.each([
    ['policy/profile/web/tags', 'web', 'profile/web'],
    ['policy/profile/web/tags', '{"a":1}', 'profile/web'],
    ['policy/profile/web/tags', '["a", 5]', 'profile/web'],
    ['policy/profile/web/tags', '["a\\n"]', 'profile/web'],
    [workload('node-a', 'one'), '{"state":"active","ipv4_nets":["10.0.0.0/24"]}', 'endpoint/node-a/k8s/shop.one/eth0'],
    [workload('node-a', 'one'), '{"profile_ids":"web"}', 'endpoint/node-a/k8s/shop.one/eth0'],
    [workload('node-a', 'one'), 'null', 'endpoint/node-a/k8s/shop.one/eth0'],
    ['host/node-a/bird_ip', '010.0.0.1', 'host/node-a'],
  ])('keeps what was good before %s said %s', (key, value, object) => {
    const layout = new CalicoV1Layout('node-a');
    set(layout, key, value);
    expect(said(layout)[object]).toBe('!');
    expect(layout.faults()).toMatchObject([{ file: key, line: 1 }]);
    set(layout, key, null);
    expect(layout.faults()).toEqual([]);
  });
});

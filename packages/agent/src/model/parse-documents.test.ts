import { describe, expect, it } from 'vitest';
import type { ListFiles } from './kinds/network.ts';
import { objectOfText } from './object-text.ts';
import type { ModelObject } from './objects.ts';
import { type ParsedDocuments, parseDocuments } from './parse-documents.ts';

const parse = (text: string, more: { format?: 'yaml' | 'json'; lists?: ListFiles | null } = {}): ParsedDocuments =>
  parseDocuments(text, { file: 'model.yaml', format: more.format ?? 'yaml', lists: more.lists ?? null });

const objects = (parsed: ParsedDocuments): readonly ModelObject[] =>
  parsed.objects.flatMap(({ key, text }) => (text === null ? [] : [objectOfText(key, text)]));

const faults = (parsed: ParsedDocuments): readonly string[] =>
  parsed.faults.map(({ line, path, reason, severity }) => `${line} ${path} ${severity} ${reason}`);

describe('parseDocuments', () => {
  it('reads every kind of object into its canonical form', () => {
    const parsed = parse(`
profiles:
  web: { tags: [web, frontend, web] }
endpoints:
  node-a/k8s/shop.cart-1/eth0:
    profiles: [web]
    ipv4: [10.65.0.2/32, 10.65.0.2]
    ipv6: ["2001:DB8:0::2"]
    ports: { metrics: "tcp:9100", http: tcp:8080 }
    note: "ticket 4711"
networks:
  corp: { nets: [10.0.0.0/8, "2001:db8:1::/48"], except: [10.1.0.0/16] }
lists:
  trusted: { members: ["tag:web", "net:corp"] }
hosts:
  node-a: { ipv4: 192.0.2.1, ipv6: "2001:db8::1" }
---
references:
  policy/allow-web: ["tag:web", "port:web/http"]
  policy/trusted-in: { groups: ["list:trusted"], hosts: [node-a, "rack1-*"] }
`);
    expect(parsed.faults).toEqual([]);
    expect(parsed.extent).toBe('whole');
    expect(parsed.objects.map(({ key, line }) => `${line} ${key}`)).toEqual([
      '3 profile/web',
      '5 endpoint/node-a/k8s/shop.cart-1/eth0',
      '12 network/corp',
      '14 list/trusted',
      '16 host/node-a',
      '19 references/policy/allow-web',
      '20 references/policy/trusted-in',
    ]);
    expect(objects(parsed)).toEqual([
      { kind: 'profile', id: 'web', tags: ['frontend', 'web'] },
      {
        kind: 'endpoint',
        id: 'node-a/k8s/shop.cart-1/eth0',
        profiles: ['web'],
        ipv4: ['10.65.0.2'],
        ipv6: ['2001:db8::2'],
        ports: new Map([
          ['http', { protocol: 'tcp', port: 8080 }],
          ['metrics', { protocol: 'tcp', port: 9100 }],
        ]),
        active: true,
        note: 'ticket 4711',
      },
      {
        kind: 'network',
        id: 'corp',
        nets: { inet: ['10.0.0.0/8'], inet6: ['2001:db8:1::/48'] },
        except: { inet: ['10.1.0.0/16 nomatch'], inet6: [] },
        files: [],
      },
      { kind: 'list', id: 'trusted', members: ['net:corp', 'tag:web'] },
      { kind: 'host', id: 'node-a', ipv4: '192.0.2.1', ipv6: '2001:db8::1' },
      { kind: 'references', id: 'policy/allow-web', groups: ['port:web/http', 'tag:web'], hosts: [] },
      { kind: 'references', id: 'policy/trusted-in', groups: ['list:trusted'], hosts: ['node-a', 'rack1-*'] },
    ]);
  });

  it('gives objects that mean the same the same text, whatever the order of their profiles and addresses (F19)', () => {
    const one = parse('endpoints: { e: { profiles: [b, a], ipv4: [10.0.0.2, 10.0.0.1/32], ipv6: ["2001:db8::0"] } }');
    const two = parse('endpoints: { e: { ipv6: ["2001:db8::"], ipv4: [10.0.0.1, 10.0.0.2], profiles: [a, b, a] } }');
    expect(one.objects[0]?.text).toBe(two.objects[0]?.text);
    expect(one.objects[0]?.text).not.toBeNull();
  });

  const inEndpoint = (body: string) => `endpoints:\n  good: { ipv4: [192.0.2.1] }\n  bad: ${body}\n`;

  it.each([
    ['a network as an address', '{ ipv4: [10.0.0.0/24] }', 'endpoints.bad.ipv4[0]', /not one address/],
    ['octal', '{ ipv4: [010.0.0.1] }', 'endpoints.bad.ipv4[0]', /zero/],
    ['a name', '{ ipv4: [localhost] }', 'endpoints.bad.ipv4[0]', /localhost/],
    ['a short address', '{ ipv4: [10.1] }', 'endpoints.bad.ipv4[0]', /10\.1/],
    ['mapped IPv6 in ipv4', '{ ipv4: ["::ffff:192.0.2.1"] }', 'endpoints.bad.ipv4[0]', /IPv6/],
    ['IPv6 in ipv4', '{ ipv4: ["2001:db8::1"] }', 'endpoints.bad.ipv4[0]', /IPv6/],
    ['IPv4 in ipv6', '{ ipv6: [192.0.2.1] }', 'endpoints.bad.ipv6[0]', /IPv4/],
    ['the null address', '{ ipv4: [0.0.0.0] }', 'endpoints.bad.ipv4[0]', /0\.0\.0\.0/],
    ['port 0', '{ ports: { http: tcp:0 } }', 'endpoints.bad.ports.http', /1 to 65535/],
    ['port 70000', '{ ports: { http: tcp:70000 } }', 'endpoints.bad.ports.http', /1 to 65535/],
    ['a port without number', '{ ports: { http: "sctp:" } }', 'endpoints.bad.ports.http', /PROTOCOL:PORT/],
    ['a bare port', '{ ports: { http: 80 } }', 'endpoints.bad.ports.http', /PROTOCOL:PORT/],
    ['a bad port name', '{ ports: { "a b": tcp:80 } }', 'endpoints.bad.ports.a b', /name of a port/],
    ['an unknown key', '{ colour: red }', 'endpoints.bad.colour', /unknown key/],
    ['a key twice', '{ ipv4: [], ipv4: [] }', 'endpoints.bad.ipv4', /twice/],
    ['no list', '{ profiles: web }', 'endpoints.bad.profiles', /expected a list, not "web"/],
    ['a list in a list', '{ ipv4: [[10.0.0.1]] }', 'endpoints.bad.ipv4[0]', /expected a value, not a list/],
    ['nothing', '', 'endpoints.bad', /expected a mapping, not nothing/],
    ['a wrong switch', '{ active: "true" }', 'endpoints.bad.active', /true or false/],
    ['a prefix beyond 32', '{ ipv4: [10.0.0.1/33] }', 'endpoints.bad.ipv4[0]', /33/],
  ])('takes nothing of an object with %s, and lets its neighbour stand', (_name, body, path, reason) => {
    const parsed = parse(inEndpoint(body));
    expect(parsed.faults).toHaveLength(1);
    expect(parsed.faults[0]).toMatchObject({ file: 'model.yaml', line: 3, path, severity: 'error' });
    expect(parsed.faults[0]?.reason).toMatch(reason);
    expect(parsed.objects.map(({ key, text }) => [key, text !== null])).toEqual([
      ['endpoint/good', true],
      ['endpoint/bad', false],
    ]);
    expect(parsed.extent).toBe('whole');
  });

  it.each([
    ['profiles: { p: { tags: web } }', 'profiles.p.tags', /expected a list/],
    ['profiles: { p: { tags: [""] } }', 'profiles.p.tags[0]', /empty/],
    ['networks: { n: { nets: [10.0.0.0/8], except: [10.0.0.0/8] } }', 'networks.n.except[0]', /nets and in except/],
    ['networks: { n: { nets: [10.0.0.0/8], except: [10.3.0.0/8] } }', 'networks.n.except[0]', /nets and in except/],
    ['networks: { n: { nets: ["10.0.0.0/8 nomatch"] } }', 'networks.n.nets[0]', /except/],
    ['networks: { n: { nets: [10.0.0.0-10.0.0.9] } }', 'networks.n.nets[0]', /10\.0\.0\.0-/],
    ['networks: { n: {} }', 'networks.n', /nets or files/],
    ['networks: { n: { files: [a.netset] } }', 'networks.n.files', /model directory/],
    ['lists: { l: { members: ["list:other"] } }', 'lists.l.members[0]', /cannot hold a list/],
    ['lists: { l: { members: ["list:l"] } }', 'lists.l.members[0]', /cannot hold a list/],
    ['lists: { l: { members: ["tag:a", "port:a/http"] } }', 'lists.l.members', /mixed/],
    ['lists: { l: { members: ["web"] } }', 'lists.l.members[0]', /KIND:NAME/],
    ['references: { r: { groups: ["hosts:some"] } }', 'references.r.groups[0]', /hosts:all/],
    ['references: { r: { groups: ["tag:a"], hosts: [] } }', 'references.r.hosts', /at least one host/],
    ['references: { pin/tag:a: { groups: ["tag:a"] } }', 'references.pin/tag:a', /those of pins/],
    ['hosts: { h: { ipv4: [192.0.2.1] } }', 'hosts.h.ipv4', /expected a value, not a list/],
  ])('refuses %s', (text, path, reason) => {
    const parsed = parse(text);
    const errors = parsed.faults.filter(({ severity }) => severity === 'error');
    expect(errors.map((fault) => fault.path)).toEqual([path]);
    expect(errors[0]?.reason).toMatch(reason);
    expect(objects(parsed)).toEqual([]);
  });

  it.each([
    ['an unknown section', 'endpoint: { a: {} }', 'endpoint', /unknown key; known are profiles, endpoints/],
    ['a section that stands twice', 'hosts: {}\nhosts: { b: {} }', 'hosts', /twice/],
    ['a section that is no mapping', 'hosts: [a]', 'hosts', /mapping of ids/],
    ['an id with a newline', 'hosts: { "a\\nb": {} }', 'hosts.a\\nb', /control character/],
    ['an id of 10,000 characters', `hosts: { ${'x'.repeat(10_000)}: {} }`, `hosts.${'x'.repeat(300)}…`, /253 bytes/],
    ['an id with a direction override', 'hosts: { "a\\u202eb": {} }', 'hosts.a\\u{202e}b', /bidirectional/],
    ['a document that is no mapping', '- a', '', /a document is a mapping/],
  ])('says that objects may be missing after %s', (_name, text, path, reason) => {
    const parsed = parse(`${text}\n---\nprofiles: { p: { tags: [] } }\n`);
    expect(parsed.extent).toBe('partial');
    expect(parsed.faults.map((fault) => fault.path)).toEqual([path]);
    expect(parsed.faults[0]?.reason).toMatch(reason);
    expect(parsed.objects.at(-1)?.key).toBe('profile/p');
  });

  it('keeps the first of two objects with one id and blames the second', () => {
    const parsed = parse('profiles:\n  p: { tags: [a] }\n  p: { tags: [b] }\n---\nprofiles:\n  p: { tags: [c] }\n');
    expect(objects(parsed)).toEqual([{ kind: 'profile', id: 'p', tags: ['a'] }]);
    expect(faults(parsed)).toEqual([
      '3 profiles.p error this id stands already on line 2; the first one counts',
      '6 profiles.p error this id stands already on line 2; the first one counts',
    ]);
  });

  it.each([
    ['172.17.0.0/16', true],
    ['172.17.1.0/24', true],
    ['0.0.0.0/0', true],
    ['2001:db8::/32', true],
    ['1234', false],
    ['256.1.2.3', false],
    ['', false],
    ['192.168.0.0/24,tcp:25227', false],
    ['10.0.0.1/33', false],
    ['172.17.1.0/24 nomatch', false],
  ])('takes "%s" as a network: %s (N57)', (net, isTaken) => {
    const parsed = parse(JSON.stringify({ networks: { n: { nets: [net] } } }), { format: 'json' });
    expect(objects(parsed)).toHaveLength(isTaken ? 1 : 0);
    expect(parsed.faults).toHaveLength(isTaken ? 0 : 1);
  });

  it('lets the rest of a block mapping stand beside a key that YAML finds too long', () => {
    const parsed = parse(`endpoints:\n  "${'x'.repeat(10_000)}": { ipv4: [10.0.0.1] }\n  next: { ipv4: [10.0.0.2] }\n`);
    expect(parsed.faults).toMatchObject([{ line: 2, reason: expect.stringMatching(/253 bytes/) }]);
    expect(objects(parsed)).toMatchObject([{ kind: 'endpoint', id: 'next' }]);
  });

  it('takes host bits of networks with a warning, and both all-networks without one', () => {
    const parsed = parse('networks: { n: { nets: [10.1.2.3/8, 0.0.0.0/0, "::/0"] } }');
    expect(objects(parsed)[0]).toMatchObject({ nets: { inet: ['0.0.0.0/0', '10.0.0.0/8'], inet6: ['::/0'] } });
    expect(parsed.faults).toHaveLength(1);
    expect(parsed.faults[0]).toMatchObject({ path: 'networks.n.nets[0]', severity: 'warning' });
  });

  it('takes ids that mean something to JavaScript or a browser as plain text', () => {
    const text = 'profiles: { __proto__: { tags: [constructor] }, "<script>": { tags: ["<b>"] } }\n';
    const json = '{"profiles":{"__proto__":{"tags":["constructor"]},"<script>":{"tags":["<b>"]}}}';
    for (const parsed of [parse(text), parse(json, { format: 'json' })]) {
      expect(parsed.faults).toEqual([]);
      expect(objects(parsed).map(({ id }) => id)).toEqual(['__proto__', '<script>']);
    }
    const port = parse('endpoints: { e: { ports: { __proto__: tcp:80 } } }');
    expect(objects(port)[0]).toMatchObject({ ports: new Map([['__proto__', { protocol: 'tcp', port: 80 }]]) });
  });

  it('takes keys and values as written, never as numbers or switches', () => {
    const parsed = parse(
      'profiles:\n  010: { tags: [1.10, true, 0x1F] }\n  ~: { tags: [] }\n  1e3: { tags: [null-ish] }\n',
    );
    expect(objects(parsed)).toEqual([
      { kind: 'profile', id: '010', tags: ['0x1F', '1.10', 'true'] },
      { kind: 'profile', id: '~', tags: [] },
      { kind: 'profile', id: '1e3', tags: ['null-ish'] },
    ]);
  });

  it.each([
    ['yaml', 'profiles:\n  a: { tags: [x }\n', 2],
    ['yaml', 'profiles:\n\tbad: tab\n', 2],
    ['yaml', 'profiles: { a: *nowhere }', 1],
    ['yaml', 'profiles: { a: !!binary aGVsbG8= }', 1],
    ['yaml', 'profiles: { ? [a] : {} }', 1],
    ['json', '{"profiles":\n{"a":{"tags":["x",]}}}', 2],
    ['json', '{"profiles":\n{"a":{"tags":["x"', 2],
    ['json', '{profiles: {}}', 1],
  ] as const)('tells where a %s text does not parse, and says nothing of its objects: %j', (format, text, line) => {
    const parsed = parse(text, { format });
    expect(parsed).toMatchObject({ extent: 'none', objects: [], faults: [{ line, path: '', severity: 'error' }] });
  });

  it('reads JSON documents one after the other, with places', () => {
    const parsed = parse('{"profiles":{"a":{"tags":["x"]}}}\n{"hosts":\n {"h":{"ipv4":"nope"}}}\n', { format: 'json' });
    expect(parsed.objects.map(({ key, line }) => `${line} ${key}`)).toEqual(['1 profile/a', '3 host/h']);
    expect(parsed.faults).toMatchObject([{ line: 3, path: 'hosts.h.ipv4' }]);
  });

  it('is not held up by a document made to grow', () => {
    let bomb = 'x0: &x0 [a, a, a, a, a, a, a, a, a]\n';
    for (let i = 1; i < 30; i++)
      bomb += `x${i}: &x${i} [${Array(9)
        .fill(`*x${i - 1}`)
        .join(', ')}]\n`;
    expect(parse(`${bomb}profiles: { p: { tags: *x29 } }`).faults.length).toBeGreaterThan(30);
    const tags = Array.from({ length: 2000 }, (_, i) => `t${i}`).join(', ');
    const many = Array.from({ length: 2000 }, (_, i) => `  p${i}: { tags: *t }`).join('\n');
    const parsed = parse(`profiles:\n  first: { tags: &t [${tags}] }\n${many}\n`);
    expect(parsed.faults.at(-1)?.reason).toMatch(/aliases of this file repeat too much/);
    expect(parsed.objects[0]?.text).not.toBeNull();
  });

  it('reads aliases of what a model reasonably repeats', () => {
    const parsed = parse('profiles:\n  a: { tags: &t [x, y] }\n  b: { tags: *t }\n');
    expect(objects(parsed)[1]).toEqual({ kind: 'profile', id: 'b', tags: ['x', 'y'] });
  });

  it.each([
    ['yaml', `profiles: ${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['yaml', `${'- '.repeat(4000)}a`],
    ['json', `{"profiles": ${'['.repeat(100_000)}`],
  ] as const)('refuses %s that is nested without end', (format, text) => {
    expect(parse(text, { format })).toMatchObject({ extent: 'none' });
    expect(parse(text, { format }).faults[0]?.reason).toMatch(/nested/);
  });

  it('cuts the faults of one object, and counts them', () => {
    const addresses = Array.from({ length: 500 }, () => 'x').join(', ');
    const parsed = parse(`endpoints: { e: { ipv4: [${addresses}] } }`);
    expect(parsed.faults).toHaveLength(21);
    expect(parsed.faults.at(-1)?.reason).toBe('and 480 more of this object');
  });
});

describe('files of a network', () => {
  const lists = (text: string): ListFiles => ({
    read: (path) => (path === 'lists/a.netset' ? { ok: true, text } : { ok: false, reason: 'is not there' }),
  });
  const network = 'networks: { n: { files: [lists/a.netset], nets: [198.51.100.0/24], except: [10.1.0.0/16] } }';

  it('are read a line at a time, with comments, CRLF and both families', () => {
    const parsed = parse(network, { lists: lists('# list\r\n10.0.0.0/8\r\n\r\n192.0.2.1 # one\n2001:db8::/32') });
    expect(parsed.faults).toEqual([]);
    expect(objects(parsed)[0]).toMatchObject({
      nets: { inet: ['10.0.0.0/8', '192.0.2.1', '198.51.100.0/24'], inet6: ['2001:db8::/32'] },
      files: ['lists/a.netset'],
    });
  });

  it('have faults with their own file and line, and then nothing of the network is taken', () => {
    const parsed = parse(network, { lists: lists('10.0.0.0/8\n10.0.0.300\n10.9.9.9/8\n1.2.3.4 5.6.7.8\n') });
    expect(parsed.objects[0]?.text).toBeNull();
    expect(parsed.faults.map(({ file, line, path, severity }) => `${file} ${line} ${path} ${severity}`)).toEqual([
      'lists/a.netset 2 networks.n error',
      'lists/a.netset 3 networks.n warning',
      'lists/a.netset 4 networks.n error',
    ]);
  });

  it.each([
    ['../outside', /leaves the model directory/],
    ['/etc/passwd', /absolute/],
    ['lists/../../x', /leaves/],
    ['lists/none', /is not there/],
  ])('stay inside the model directory: %s', (path, reason) => {
    const parsed = parse(`networks: { n: { files: [${path}] } }`, { lists: lists('') });
    expect(parsed.faults.map((fault) => fault.path)).toEqual(['networks.n.files[0]']);
    expect(parsed.faults[0]?.reason).toMatch(reason);
  });

  it('conflict with exceptions like written networks do', () => {
    const parsed = parse(network, { lists: lists('10.1.0.0/16') });
    expect(parsed.faults.map((fault) => fault.path)).toEqual(['networks.n.except[0]']);
  });
});

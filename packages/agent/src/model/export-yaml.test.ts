import type { GroupId, Member } from '@setkeeper/ipset';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exportYaml } from './export-yaml.ts';
import { objectOfText, objectText } from './object-text.ts';
import { type ModelObject, objectKey } from './objects.ts';
import { parseDocuments } from './parse-documents.ts';

const id = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9_.:#&*!|>%@`"'{}[\],? /\\-]{1,40}$/),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
    fc.constantFrom('true', 'null', '~', '010', '1e3', '- a', '__proto__', '<script>', '=', '<<', '---', 'é', '网'),
  )
  .filter((text) => /^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u.test(text) && text.normalize('NFC') === text);
const ids = fc.uniqueArray(id, { maxLength: 4 }).map((list) => list.sort());
const v4 = fc.nat({ max: 250 }).map((last) => `192.0.2.${last + 1}` as Member);
const v6 = fc.nat({ max: 8 }).map((last) => `2001:db8::${last + 1}` as Member);
const sorted = <T extends string>(each: fc.Arbitrary<T>) =>
  fc.uniqueArray(each, { maxLength: 3 }).map((list) => list.sort());
const note = fc.option(fc.string({ unit: 'grapheme', maxLength: 30 }), { nil: undefined });
const withNote = <T extends object>(object: T, text: string | undefined) =>
  text === undefined ? object : { ...object, note: text };

const object: fc.Arbitrary<ModelObject> = fc.oneof(
  fc.record({ id, tags: ids }).map((each): ModelObject => ({ kind: 'profile', ...each })),
  fc
    .record({ id, profiles: ids, ipv4: sorted(v4), ipv6: sorted(v6), active: fc.boolean(), note, ports: fc.boolean() })
    .map(({ note: text, ports, ...each }): ModelObject => {
      const named = new Map(ports ? ([['http', { protocol: 'tcp', port: 80 }]] as const) : []);
      return withNote({ kind: 'endpoint' as const, ...each, ports: named }, text);
    }),
  fc.record({ id, tags: ids }).map(({ id: list, tags }): ModelObject => {
    const members = tags.map((tag) => `tag:${tag}` as GroupId).sort();
    return { kind: 'list', id: list, members };
  }),
  fc.record({ id, ipv4: fc.option(v4), ipv6: fc.option(v6) }).map((each): ModelObject => ({ kind: 'host', ...each })),
  fc.record({ id, hosts: ids }).map(
    (each): ModelObject => ({
      kind: 'references',
      ...each,
      groups: ['hosts:all', 'port:a b/http'] as GroupId[],
    }),
  ),
);

describe('exportYaml', () => {
  it('writes what parseDocuments reads back to equal objects, whatever the ids', () => {
    fc.assert(
      fc.property(fc.array(object, { maxLength: 12 }), (made) => {
        const byKey = new Map(made.map((each) => [objectKey(each.kind, each.id), each]));
        const text = [...exportYaml(byKey.values())].join('');
        const parsed = parseDocuments(text, { file: 'export.yaml', format: 'yaml', lists: null });
        expect(parsed.faults).toEqual([]);
        expect(new Map(parsed.objects.map(({ key, text: found }) => [key, found]))).toEqual(
          new Map([...byKey].map(([key, each]) => [key, objectText(each)])),
        );
        for (const [key, each] of byKey) expect(objectOfText(key, objectText(each))).toEqual(each);
      }),
      { numRuns: 300 },
    );
  });

  it('writes one object a line, quotes what YAML would misread, and writes the files of a network out', () => {
    const nets = { inet: ['10.0.0.0/8', '192.0.2.1'] as Member[], inet6: ['2001:db8::/32'] as Member[] };
    const text = [
      ...exportYaml([
        { kind: 'network', id: 'corp', nets, except: { inet: [], inet6: [] }, files: ['lists/a.netset'], note: 'a: b' },
        { kind: 'profile', id: 'on', tags: ['web'] },
      ]),
    ].join('');
    expect(text).toBe(`profiles:
  "on": { tags: [web] }
networks:
  # with the networks of lists/a.netset
  corp: { nets: [10.0.0.0/8, 192.0.2.1, "2001:db8::/32"], note: "a: b" }
`);
  });
});

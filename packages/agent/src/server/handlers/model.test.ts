import { type Call, verbs } from '@setkeeper/api';
import type { GroupId } from '@setkeeper/ipset';
import { createFakeClock } from '@setkeeper/testkit';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMembership } from '../../membership/create-membership.ts';
import type { Membership } from '../../membership/membership.ts';
import { StoredRecord } from '../../model/stored-record.ts';
import { createDeclaredSource, type DeclaredSource } from '../../sources/declared-source.ts';
import { parseGivenText } from '../../sources/directory/given-text.ts';
import { inProcessParser } from '../../sources/directory/in-process-parser.ts';
import { createMemoryLastGood } from '../../sources/memory-last-good.ts';
import { createMerge, type Merge } from '../../sources/merge.ts';
import type { SourceUpdate } from '../../sources/source.ts';
import type { FactRepository } from '../../store/store.ts';
import { modelHandlers } from './model.ts';
import { sourcesHandlers } from './sources.ts';

const call: Call = {
  caller: { name: 'ann', role: 'operator' } as Call['caller'],
  requestId: 'r1',
  signal: undefined,
};

function memoryFacts(): FactRepository {
  const facts = new Map<string, unknown>();
  return {
    list: <T>(noun: string) =>
      [...facts]
        .filter(([key]) => key.startsWith(`${noun}/`))
        .map(([key, value]) => ({ id: key.slice(noun.length + 1), value: value as T })),
    put: (noun, id, value) => {
      facts.set(`${noun}/${id}`, value);
    },
    delete: (noun, id) => {
      facts.delete(`${noun}/${id}`);
    },
  };
}

describe('the verbs on the model and its sources', () => {
  let merge: Merge;
  let membership: Membership;
  let declared: DeclaredSource;
  let accept: (update: SourceUpdate) => void;
  let handlers: ReturnType<typeof modelHandlers>;
  let sources: ReturnType<typeof sourcesHandlers>;
  let lastGood = createMemoryLastGood();
  let facts = memoryFacts();
  const accepted: string[] = [];

  const fromFiles = (text: string, faults: SourceUpdate['faults'] = []): SourceUpdate => ({
    source: 'files',
    state: 'current',
    since: 0,
    upserts: parseGivenText(text, 'a.yaml').objects.flatMap(({ key, text: found, line }) =>
      found === null ? [] : [new StoredRecord(key, found, { source: 'files', file: 'a.yaml' }, line)],
    ),
    deletes: [],
    faults,
    files: ['a.yaml'],
  });

  beforeEach(async () => {
    const clock = createFakeClock();
    lastGood = createMemoryLastGood();
    facts = memoryFacts();
    const order = [
      { name: 'files', kind: 'directory' },
      { name: 'declared', kind: 'declared' },
    ] as const;
    merge = createMerge({ order, clock });
    membership = createMembership({ originOf: (key) => merge.originOf(key) });
    accept = (update) => {
      membership.apply(merge.apply(update)?.changes ?? []);
    };
    declared = createDeclaredSource({ name: 'declared', clock, lastGood, facts });
    await declared.start((update) => accept(update));
    const settled = () => Promise.resolve();
    handlers = modelHandlers({
      merge,
      membership,
      declared,
      clock,
      settled,
      parser: inProcessParser,
      host: 'node-a',
      prefix: 'sk-',
      families: ['inet', 'inet6'],
      referrersOf: (group) => (group === 'tag:nowhere' ? ['policy/x'] : []),
      referencedGroups: () => ['tag:nowhere' as GroupId],
      referencesRevision: () => 1,
      sinceOf: () => null,
      exportRestore: () => 'create x hash:ip\n',
    });
    sources = sourcesHandlers({
      merge,
      sources: [declared],
      clock,
      settled,
      onAccepted: (name, { actor, reason }) => void accepted.push(`${name} ${actor} ${reason}`),
    });
  });

  it('writes declared objects whole or not at all, and keeps them over a restart', async () => {
    const documents = 'profiles: { web: { tags: [web] } }\nendpoints: { e: { profiles: [web], ipv4: [192.0.2.1] } }';
    const put = await handlers['model.put']({ documents }, call);
    expect(put).toMatchObject({ changed: 2, unchanged: 0, revision: 1, warnings: [] });
    expect(put.objects).toEqual([
      { kind: 'profile', id: 'web' },
      { kind: 'endpoint', id: 'e' },
    ]);
    expect(membership.count('tag:web' as GroupId, 'inet')).toBe(1);
    expect(await handlers['model.put']({ documents }, call)).toMatchObject({ changed: 0, unchanged: 2, revision: 1 });
    const bad = 'profiles: { web: { tags: [other] } }\nendpoints: { e: { ipv4: [10.0.0.0/24] } }';
    await expect(handlers['model.put']({ documents: bad }, call)).rejects.toMatchObject({
      code: 'bad-input',
      subject: 'endpoints.e.ipv4[0]',
      details: { faults: [{ line: 2 }] },
    });
    expect(membership.profilesWith('web')).toEqual(['web']);
    const again = createDeclaredSource({ name: 'declared', clock: createFakeClock(), lastGood, facts });
    const updates: SourceUpdate[] = [];
    await again.start((update) => updates.push(update));
    expect(again.revision).toBe(1);
    expect(updates).toMatchObject([{ state: 'current', upserts: [{ key: 'profile/web' }, { key: 'endpoint/e' }] }]);
  });

  it('lets nobody overwrite what he has not seen', async () => {
    const { revision } = declared;
    const put = (tag: string, ifRevision: number) =>
      handlers['model.put']({ documents: `profiles: { p: { tags: [${tag}] } }`, ifRevision }, call);
    await put('a', revision);
    await expect(put('b', revision)).rejects.toMatchObject({ code: 'conflict', details: { revision: revision + 1 } });
    await put('b', revision + 1);
    const remove = (ifRevision: number) => handlers['model.delete']({ kind: 'profile', id: 'p', ifRevision }, call);
    await expect(remove(revision)).rejects.toMatchObject({ code: 'conflict' });
    expect(await remove(revision + 2)).toMatchObject({ changed: 1 });
    await expect(remove(revision + 3)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('says what is wrong while one types, and refuses files of a directory', async () => {
    expect(
      await handlers['model.validate']({ documents: 'networks: { n: { nets: [10.1.2.3/8] } }' }, call),
    ).toMatchObject({ ok: true, faults: [{ severity: 'warning' }] });
    expect(await handlers['model.validate']({ documents: '{"networks":{"n":{"files":["x"]}}}' }, call)).toMatchObject({
      ok: false,
      faults: [{ path: 'networks.n.files' }],
    });
    expect(await handlers['model.validate']({ documents: 'networks: {' }, call)).toMatchObject({ ok: false });
  });

  it('shows every kind of object with where it is from, who lost, and what is last good', async () => {
    accept(
      fromFiles(
        `profiles: { web: { tags: [t] } }
endpoints:
  b.c: { profiles: [web, ghost], ipv4: [192.0.2.1], ports: { http: tcp:80 } }
  b: { profiles: [web] }
networks: { corp: { nets: [10.0.0.0/8, "2001:db8::/32"], except: [10.1.0.0/16], note: n } }
lists: { l: { members: ["tag:t"] } }
hosts: { node-a: { ipv4: 192.0.2.9 } }
references: { r: { groups: ["tag:t"], hosts: [node-b] } }`,
        [{ file: 'a.yaml', line: 3, path: 'endpoints.b.c.ipv4[0]', reason: 'x', severity: 'error' }],
      ),
    );
    await handlers['model.put']({ documents: 'profiles: { web: { tags: [lost] } }' }, call);
    const page = { limit: 100 };
    const endpoints = await handlers['model.endpoints'](page, call);
    expect(endpoints.items).toMatchObject([
      { id: 'b', lastGood: false, groups: ['tag:t'] },
      {
        id: 'b.c',
        profiles: ['ghost', 'web'],
        ports: { http: 'tcp:80' },
        groups: ['port:t/http', 'tag:t'],
        source: 'files',
        file: 'a.yaml',
        line: 3,
        lastGood: true,
      },
    ]);
    expect((await handlers['model.profiles'](page, call)).items).toMatchObject([
      { id: 'ghost', defined: false, endpoints: 1, tags: [] },
      { id: 'web', defined: true, endpoints: 2, tags: ['t'], conflicts: ['declared'] },
    ]);
    expect((await handlers['model.networks'](page, call)).items).toMatchObject([
      { id: 'corp', nets: 2, except: 1, note: 'n' },
    ]);
    expect((await handlers['model.lists'](page, call)).items).toMatchObject([{ id: 'l', members: ['tag:t'] }]);
    expect((await handlers['model.hosts'](page, call)).items).toMatchObject([{ id: 'node-a', ipv6: null }]);
    expect((await handlers['model.references'](page, call)).items).toMatchObject([{ id: 'r', here: false }]);
    const groups = await handlers['model.groups'](page, call);
    expect(groups.items.map(({ id, defined, referenced }) => `${id} ${defined} ${referenced}`)).toEqual([
      'tag:nowhere false true',
      'tag:t true false',
      'port:t/http true false',
      'net:corp true false',
      'list:l true false',
      'hosts:all true false',
    ]);
    expect(groups.items[1]).toMatchObject({
      members: { inet: 1, inet6: 0 },
      endpoints: 2,
      profiles: ['web'],
      names: { inet: 'sk-v4-t.t', inet6: 'sk-v6-t.t' },
    });
    expect(groups.items[4]).toMatchObject({ names: { name: 'sk-l.l' }, members: { inet: 1 } });
    expect(await handlers['model.endpoints']({ ...page, filter: '192.0.2' }, call)).toMatchObject({ total: 1 });
    expect(await handlers['model.endpoints']({ ...page, profile: 'ghost' }, call)).toMatchObject({ total: 1 });
    expect(await handlers['model.endpoints']({ ...page, tag: 'lost' }, call)).toMatchObject({ total: 0 });
    expect(await handlers['model.groups']({ ...page, kind: 'port' }, call)).toMatchObject({ total: 1 });
  });

  it('finds one object by its id, however many others have its text', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `a-web-${i}`);
    accept(
      fromFiles(`profiles:
${names.map((name) => `  ${name}: { tags: [t] }`).join('\n')}
  web: { tags: [t] }
endpoints: { web: { profiles: [web, ghost] } }
networks: { web: { nets: [] } }
lists: { web: { members: [] } }`),
    );
    const only = { limit: 1, id: 'web' };
    for (const verb of ['model.profiles', 'model.endpoints', 'model.networks', 'model.lists'] as const) {
      expect(await handlers[verb](only, call)).toMatchObject({ total: 1, items: [{ id: 'web' }] });
      expect(await handlers[verb]({ limit: 1, id: 'we' }, call)).toMatchObject({ total: 0, items: [] });
    }
    const ghost = await handlers['model.profiles']({ limit: 1, id: 'ghost' }, call);
    expect(ghost.items).toMatchObject([{ id: 'ghost', defined: false }]);
  });

  it('tells the endpoints of a port from others of its tag', async () => {
    accept(
      fromFiles(`profiles: { web: { tags: [t] } }
endpoints:
  with: { profiles: [web], ipv4: [192.0.2.1], ports: { http: tcp:80 } }
  without: { profiles: [web], ipv4: [192.0.2.2] }`),
    );
    const page = await handlers['model.endpoints']({ limit: 10, tag: 't', port: 'http' }, call);
    expect(page.items.map(({ id }) => id)).toEqual(['with']);
  });

  it('pages through ids of any length that is allowed', async () => {
    const ids = ['a', 'b', 'c'].map((letter) => JSON.stringify('"'.repeat(252) + letter));
    accept(fromFiles(`endpoints: { ${ids.map((id) => `${id}: {}`).join(', ')} }`));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const input = verbs['model.endpoints'].input.parse({ limit: 1, cursor });
      const page = await handlers['model.endpoints'](input, call);
      seen.push(...page.items.map(({ id }) => JSON.stringify(id)));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(ids);
  });

  it('exports one object as a source says it, with the revision that belongs to it', async () => {
    accept(fromFiles('endpoints: { e: { ipv4: [192.0.2.1] } }'));
    const documents =
      'endpoints: { e: { ipv4: [192.0.2.2], active: false, note: hall } }\nnetworks: { n: { nets: [10.0.0.0/8] } }';
    await handlers['model.put']({ documents }, call);
    const object = { kind: 'endpoint', id: 'e' } as const;
    const own = await handlers['model.export']({ format: 'yaml', source: 'declared', object }, call);
    expect(own).toEqual({
      text: 'endpoints:\n  e: { ipv4: [192.0.2.2], active: false, note: hall }\n',
      revision: declared.revision,
    });
    const winner = await handlers['model.export']({ format: 'yaml', object }, call);
    expect(winner.text).toBe('endpoints:\n  e: { ipv4: [192.0.2.1] }\n');
    const ofFiles = await handlers['model.export']({ format: 'yaml', source: 'files', object }, call);
    expect(ofFiles.text).toBe(winner.text);
    const network = { kind: 'network', id: 'n' } as const;
    for (const source of ['files', 'no']) {
      await expect(handlers['model.export']({ format: 'yaml', source, object: network }, call)).rejects.toMatchObject({
        code: 'not-found',
      });
    }
  });

  it('never gives an older text of the declared objects with a newer revision', async () => {
    accept = () => {};
    await handlers['model.put']({ documents: 'profiles: { p: { tags: [new] } }' }, call);
    const { text, revision } = await handlers['model.export']({ format: 'yaml', source: 'declared' }, call);
    expect(revision).toBe(declared.revision);
    expect(text).toContain('new');
  });

  it('exports what reads back as the same model', async () => {
    accept(fromFiles('profiles: { a: { tags: [x, "1: 2"] } }\nhosts: { h: { ipv6: "2001:db8::1" } }'));
    await handlers['model.put']({ documents: 'profiles: { own: { tags: [mine] } }' }, call);
    const whole = await handlers['model.export']({ format: 'yaml' }, call);
    expect(parseGivenText(whole.text, 'x').objects.map(({ key }) => key)).toContain('profile/own');
    expect(parseGivenText(whole.text, 'x').objects.map(({ key }) => key)).toContain('host/h');
    const own = await handlers['model.export']({ format: 'yaml', source: 'declared' }, call);
    expect(own.text).toContain('own: { tags: [mine] }');
    expect(own.text).not.toContain('host');
    expect(own.revision).toBe(declared.revision);
    expect(await handlers['model.export']({ format: 'restore' }, call)).toMatchObject({ text: 'create x hash:ip\n' });
    await expect(handlers['model.export']({ format: 'yaml', source: 'no' }, call)).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('lists sources in their order and passes an acceptance on', async () => {
    const rows = await sources['sources.list'](undefined, call);
    expect(rows).toMatchObject([
      { name: 'files', state: 'missing', objects: 0, lastGoodAt: null, waiting: expect.any(String) },
      { name: 'declared', state: 'current', problems: [] },
    ]);
    expect(await sources['sources.accept']({ name: 'declared', reason: 'moved' }, call)).toMatchObject({
      name: 'declared',
    });
    expect(accepted).toEqual(['declared ann moved']);
    await expect(sources['sources.accept']({ name: 'no', reason: 'x' }, call)).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

import type { Caller } from '@setkeeper/api';
import type { GroupId, Member } from '@setkeeper/ipset';
import { describe, expect, it } from 'vitest';
import type { ObjectHistory } from '../../store/store.ts';
import { PlanPreviews } from '../plan-previews.ts';
import { address, EngineWorld, endpoint, gone, list, network, profile, references } from '../testing/engine-world.ts';
import { heldRow } from './held-row.ts';
import { memberPage } from './member-list.ts';
import { MemberOrders } from './member-order.ts';
import { SinceReader } from './member-since.ts';
import { planLines, planRow } from './plan-view.ts';
import { setDetail } from './set-detail.ts';
import { SetList, sortColumn } from './set-list.ts';
import { setRow } from './set-row.ts';

const v4 = { sets: { families: ['inet'] } };
const caller = (role: Caller['role']): Caller => ({ subject: 'uid:0', name: 'root', role, via: 'admin-socket' });
const pages = <T>(
  next: (cursor: string | undefined) => { readonly rows: readonly T[]; readonly cursor: string | undefined },
) => {
  const all: T[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = next(cursor);
    all.push(...page.rows);
    cursor = page.cursor;
    more = cursor !== undefined;
  }
  return all;
};

async function model(config: object = v4) {
  const w = new EngineWorld({ config });
  w.change([
    profile('p', 'web'),
    profile('q', 'db'),
    endpoint('a', ['p'], ['10.0.0.1', '10.0.0.2'], ['2001:db8::1']),
    endpoint('b', ['q'], ['10.0.0.2']),
    network('all', ['0.0.0.0/0'], ['10.1.0.0/16']),
    list('l', 'tag:web', 'net:all'),
  ]);
  await w.pass(1_000);
  return w;
}

describe('the row of a set', () => {
  it('counts logical members on every axis', async () => {
    const w = await model();
    const row = (group: string, family: 'inet' | null = 'inet') => setRow(w.engine.state, w.set(group, family));
    expect(row('net:all')).toMatchObject({
      desired: 2,
      programmed: 2,
      kernel: 2,
      sync: 'in-sync',
      phase: 'live',
      type: 'hash:net',
    });
    expect(row('list:l', null)).toMatchObject({
      desired: 2,
      programmed: 2,
      kernel: 2,
      family: null,
      maxelem: null,
      use: 'unused',
    });
    expect(row('tag:web')).toMatchObject({
      references: ['list:l'],
      kernelReferences: 1,
      use: 'used',
      defined: true,
      name: 'sk-v4-t.web',
    });
    expect(row('tag:db')).toMatchObject({
      references: [],
      lastResult: 'succeeded',
      pending: { adds: 0, dels: 0 },
      onHold: false,
    });
  });

  it('tells what is pending, parked and over capacity apart', async () => {
    const w = await model({ sets: { families: ['inet'], maxelem: 3 } });
    w.kernel.refuse = (operation) =>
      operation.op === 'add' && operation.member === '10.0.0.3' ? { code: 'full', message: 'Hash is full' } : null;
    await w.apply(endpoint('a', ['p'], ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5']));
    expect(setRow(w.engine.state, w.set('tag:web'))).toMatchObject({
      desired: 5,
      programmed: 3,
      parked: 1,
      overCapacity: 1,
      pending: { adds: 0, dels: 0 },
      sync: 'dirty',
      error: '10.0.0.3 was refused: Hash is full',
    });
    const detail = setDetail(w.engine.state, w.set('tag:web'), caller('viewer'), null);
    expect(detail.parkedMembers).toMatchObject([
      { member: '10.0.0.3', op: 'add', code: 'full', attempts: 1, run: expect.any(String) },
    ]);
    expect(detail.overCapacityMembers).toEqual(['10.0.0.5']);
    expect(detail.verbs['sets.reprogram']).toEqual({ allowed: false, reason: 'It needs the role operator.' });
  });
});

describe('the list of sets', () => {
  it('pages in every order without losing or repeating a set', async () => {
    const w = new EngineWorld({ config: v4 });
    await w.apply(profile('p', ...Array.from({ length: 23 }, (_, i) => `t${i}`)), endpoint('a', ['p'], ['10.0.0.1']));
    const sets = new SetList(w.engine.state);
    for (const by of ['group', 'name', 'pending', 'programmed', 'sync', 'changedAt', 'nonsense']) {
      for (const desc of [false, true]) {
        const all = pages((cursor) => {
          const page = sets.page({ limit: 5, cursor, sort: { by: sortColumn(by), desc } });
          expect(page.total).toBe(23);
          return { rows: page.sets.map(({ group }) => group), cursor: page.nextCursor };
        });
        expect(new Set(all).size).toBe(23);
        expect(all).toHaveLength(23);
        if (by === 'group') expect(all).toEqual(desc ? [...all].sort().reverse() : [...all].sort());
      }
    }
  });

  it('shows at once what came, went or changed since a list was made', async () => {
    const w = new EngineWorld({ config: v4 });
    await w.apply(profile('p', 'b', 'd'), endpoint('a', ['p'], ['10.0.0.1']));
    const sets = new SetList(w.engine.state);
    const groups = (query: object) => sets.page({ limit: 9, ...query }).sets.map(({ group }) => group);
    expect(groups({})).toEqual(['tag:b', 'tag:d']);
    expect(groups({ filter: 'member:10.0.0.2' })).toEqual([]);
    await w.apply(profile('p', 'a', 'c', 'd'), endpoint('a', ['p'], ['10.0.0.2']));
    expect(groups({ filter: 'tag: state:live' })).toEqual(['tag:a', 'tag:c', 'tag:d']);
    expect(groups({ filter: 'member:10.0.0.2' })).toEqual(['tag:a', 'tag:c', 'tag:d']);
  });

  it('finds by text, kind, family, state, member and referrer', async () => {
    const w = await model({});
    await w.apply(references('policy/a', 'tag:web', 'net:all', 'list:l'));
    const sets = new SetList(w.engine.state);
    const find = (query: object) =>
      sets.page({ limit: 100, ...query }).sets.map(({ group, family }) => `${group} ${family}`);
    expect(find({ filter: 'tag:w' })).toEqual(['tag:web inet', 'tag:web inet6']);
    expect(find({ filter: 'V6-N' })).toEqual(['net:all inet6']);
    expect(find({ kind: 'list' })).toEqual(['list:l null']);
    expect(find({ family: 'inet6', filter: 'web' })).toEqual(['tag:web inet6']);
    expect(find({ filter: 'member:2001:db8:0::1' })).toEqual(['tag:web inet6']);
    expect(find({ filter: 'member:10.0.0.2 state:live' })).toEqual(['tag:web inet']);
    expect(find({ filter: 'ref:policy family:inet' })).toEqual(['net:all inet', 'tag:web inet']);
    expect(find({ state: 'not-referenced' })).toEqual(['tag:db inet', 'tag:db inet6']);
    expect(find({ state: 'waiting', filter: 'state:live' })).toEqual([]);
    expect(() => find({ state: 'purple' })).toThrow('no state');
  });
});

describe('the members of a set', () => {
  const read = async (w: EngineWorld, orders: MemberOrders, query: object) => {
    const sets = w.engine.state.registry.ofGroup('tag:web' as never);
    return memberPage(w.engine.state, orders, { sets, owners: true, limit: 100, ...query });
  };

  it('pages by address, IPv4 first, with owners and state', async () => {
    const w = await model({});
    const orders = new MemberOrders(w.engine.state);
    const page = await read(w, orders, {});
    expect(page.items.map(({ member, family, state }) => [member, family, state])).toEqual([
      ['10.0.0.1', 'inet', 'programmed'],
      ['10.0.0.2', 'inet', 'programmed'],
      ['2001:db8::1', 'inet6', 'programmed'],
    ]);
    expect(page.items[0]?.owners).toEqual([{ source: 'files', profile: 'p', endpoint: 'a' }]);
    const all: string[] = [];
    for (let cursor: string | undefined, i = 0; i < 10; i++) {
      const one = await read(w, orders, { limit: 1, cursor });
      all.push(...one.items.map(({ member }) => member));
      cursor = one.nextCursor;
      if (cursor === undefined) break;
    }
    expect(all).toEqual(['10.0.0.1', '10.0.0.2', '2001:db8::1']);
  });

  it('shows those that a held change keeps among all, in their place, and by their state', async () => {
    const w = new EngineWorld({ config: v4 });
    const orders = new MemberOrders(w.engine.state);
    const show = async (query: object) =>
      (await read(w, orders, query)).items.map(({ member, state }) => `${member} ${state}`);
    const everyone = Array.from({ length: 60 }, (_, i) => endpoint(`e${i}`, ['p'], [`10.0.0.${i}`]));
    await w.apply(profile('p', 'web'), ...everyone);
    await w.apply(...everyone.filter((_, i) => i !== 1 && i !== 58).map(({ id }) => gone('endpoint', id)));
    expect(await show({})).toEqual(['10.0.0.1 programmed', '10.0.0.58 programmed']);
    const all = await show({ state: 'all' });
    expect(all).toHaveLength(60);
    expect(all.slice(0, 3)).toEqual(['10.0.0.0 pending-del', '10.0.0.1 programmed', '10.0.0.2 pending-del']);
    expect(all.at(-1)).toBe('10.0.0.59 pending-del');
    expect(await show({ state: 'all', filter: '0.0.5' })).toHaveLength(11);
    expect(await show({ state: 'pending-del' })).toHaveLength(58);
    const [row] = [w.set('tag:web')].map((set) => setRow(w.engine.state, set));
    expect(row).toMatchObject({ blocked: 'held', blockedDetail: '58 removals are held (h1)' });
  });

  it('follows changes of a set that was sorted before', async () => {
    const w = new EngineWorld({ config: v4 });
    const orders = new MemberOrders(w.engine.state);
    const show = async () => (await read(w, orders, {})).items.map(({ member }) => member);
    await w.apply(profile('p', 'web'), endpoint('a', ['p'], ['10.0.0.5', '10.0.0.1']));
    expect(await show()).toEqual(['10.0.0.1', '10.0.0.5']);
    await w.apply(endpoint('a', ['p'], ['10.0.0.5', '10.0.0.3', '10.0.0.9']));
    expect(await show()).toEqual(['10.0.0.3', '10.0.0.5', '10.0.0.9']);
    await w.apply(endpoint('a', ['p'], ['10.0.0.9']), endpoint('b', ['p'], ['10.0.0.1']));
    expect(await show()).toEqual(['10.0.0.1', '10.0.0.9']);
  });

  it('filters by text, endpoint and state', async () => {
    const w = new EngineWorld({ config: { ...v4, guard: 'off' } });
    const orders = new MemberOrders(w.engine.state);
    const show = async (query: object) => {
      const page = await read(w, orders, query);
      expect(page.total).toBe(page.items.length);
      return page.items.map(({ member, state }) => `${member} ${state}`);
    };
    await w.apply(
      profile('p', 'web'),
      endpoint('a', ['p'], ['10.0.0.1', '10.0.1.1']),
      endpoint('b', ['p'], ['10.0.0.2']),
    );
    expect(await show({ filter: '10.0.1.' })).toEqual(['10.0.1.1 programmed']);
    expect(await show({ endpoint: 'b' })).toEqual(['10.0.0.2 programmed']);
    w.kernel.refuse = (operation) => (operation.op === 'create' ? null : { code: 'unknown', message: 'no' });
    await w.apply(endpoint('b', ['p'], ['10.0.0.3']));
    expect(await show({ state: 'parked' })).toEqual(['10.0.0.2 parked', '10.0.0.3 parked']);
    expect(await show({ state: 'programmed' })).toEqual(['10.0.0.1 programmed', '10.0.1.1 programmed']);
    expect(await show({ state: 'pending-add' })).toEqual([]);
  });

  it('shows removals that wait as pending', async () => {
    const w = new EngineWorld({ config: v4 });
    const all = Array.from({ length: 100 }, (_, i) => endpoint(`e${i}`, ['p'], [address(i + 1)]));
    await w.apply(profile('p', 'web'), ...all);
    await w.apply(profile('p'), profile('q', 'web'), endpoint('e0', ['q'], [address(1)]));
    const page = await read(w, new MemberOrders(w.engine.state), { state: 'pending-del', limit: 3 });
    expect(page).toMatchObject({
      total: 99,
      items: [{ member: '10.0.0.2', state: 'pending-del', owners: [] }, {}, {}],
    });
    const [change] = w.engine.state.held.all();
    if (change === undefined) throw new Error('nothing is held');
    expect(heldRow(w.engine.state, change, caller('operator'))).toMatchObject({
      removes: 99,
      sets: [{ group: 'tag:web', removes: 99, of: 100 }],
      verbs: { 'held.release': { allowed: true } },
    });
  });
});

describe('since', () => {
  const row = (key: string, at: number, text: string | null): ObjectHistory => ({
    id: `${at}`,
    at: new Date(at).toISOString(),
    key: key as never,
    kind: text === null ? 'removed' : 'changed',
    source: 'files',
    text,
  });
  const history = new Map<string, readonly ObjectHistory[]>([
    [
      'endpoint/a',
      [
        row('endpoint/a', 50_000, '{"profiles":["p"],"ipv4":["10.0.0.1","10.0.0.11"]}'),
        row('endpoint/a', 40_000, '{"profiles":["p"],"ipv4":["10.0.0.1"],"note":"x"}'),
        row('endpoint/a', 30_000, '{"profiles":["p"],"ipv4":["10.0.0.1"]}'),
        row('endpoint/a', 20_000, '{"profiles":["p"],"ipv4":["10.0.0.2"]}'),
      ],
    ],
    ['profile/p', [row('profile/p', 10_000, '{"tags":["web"]}')]],
    ['endpoint/b', [row('endpoint/b', 15_000, '{"profiles":["p"],"ipv4":["10.0.0.1"]}')]],
  ]);
  const reader = () => new SinceReader({ objectChanges: (key) => history.get(key) ?? [] });
  const owner = (id: string, profile = 'p') => ({ source: 'files', profile, endpoint: id });
  const since = (group: string, member: string, ...owners: ReturnType<typeof owner>[]) =>
    reader().since(group as GroupId, member as Member, owners);
  const at = (ms: number) => new Date(ms).toISOString();

  it('is the start of the unbroken time in which an owner wanted the member', () => {
    expect(since('tag:web', '10.0.0.1', owner('a'))).toBe(at(30_000));
    expect(since('tag:web', '10.0.0.11', owner('a'))).toBe(at(50_000));
    expect(since('tag:web', '10.0.0.1', owner('a'), owner('b'))).toBe(at(15_000));
    expect(since('tag:web', '10.0.0.1', owner('unknown'))).toBeNull();
  });

  it('does not begin before the profile had the tag, the endpoint was active, or it had the port', () => {
    history.set('profile/q', [
      row('profile/q', 25_000, '{"tags":["late","web"]}'),
      row('profile/q', 10_000, '{"tags":["web"]}'),
    ]);
    history.set('endpoint/c', [
      row('endpoint/c', 60_000, '{"profiles":["q"],"ipv4":["10.0.0.3"],"ports":{"http":"tcp:81"}}'),
      row('endpoint/c', 35_000, '{"profiles":["q"],"ipv4":["10.0.0.3"],"ports":{"http":"tcp:80"}}'),
      row('endpoint/c', 20_000, '{"profiles":["q"],"ipv4":["10.0.0.3"]}'),
      row('endpoint/c', 15_000, '{"profiles":["q"],"ipv4":["10.0.0.3"],"active":false}'),
    ]);
    expect(since('tag:web', '10.0.0.3', owner('c', 'q'))).toBe(at(20_000));
    expect(since('tag:late', '10.0.0.3', owner('c', 'q'))).toBe(at(25_000));
    expect(since('port:late/http', '10.0.0.3,tcp:81', owner('c', 'q'))).toBe(at(60_000));
  });
});

describe('a plan as people see it', () => {
  it('pages its lines with their meaning, and is kept while nothing changes', async () => {
    const w = await model({ sets: { families: ['inet'], apply: 'manual' } });
    await w.pass(100);
    const { state } = w.engine;
    const previews = new PlanPreviews(state, w.acts);
    const selection = { groups: [], reprogram: false, all: false };
    const preview = await previews.of(selection);
    expect(await previews.of(selection)).toBe(preview);
    const row = await planRow(state, preview, { scriptLimit: 2, isNamed: false });
    expect(row).toMatchObject({ scriptTruncated: true, lines: preview.plan.lines });
    expect(row.script.split('\n')).toHaveLength(3);
    expect(row.sets.map(({ name, how, adds, firstLine }) => [name, how, adds, firstLine])).toEqual([
      ['sk-v4-n.all', 'create', 2, 1],
      ['sk-v4-t.db', 'create', 1, 5],
      ['sk-v4-t.web', 'create', 2, 7],
      ['sk-l.l', 'create', 2, 10],
    ]);
    const all = await planLines(state, preview, { from: 1, limit: 100 });
    expect(all.items).toHaveLength(preview.plan.lines);
    const second = await planLines(state, preview, { from: 3, limit: 2 });
    expect(second).toMatchObject({ total: 12, next: 5, items: [all.items[2], all.items[3]] });
    const found = await planLines(state, preview, { from: 1, limit: 1, filter: '10.0.0', set: 'sk-v4-t.web' });
    expect(found).toMatchObject({
      total: 2,
      items: [{ text: 'add sk-v4-t.web 10.0.0.1', meaning: 'Add 10.0.0.1 to sk-v4-t.web.' }],
    });
    await expect(previews.confirmed(selection, '0'.repeat(64))).rejects.toMatchObject({ code: 'digest-stale' });
    expect((await previews.confirmed(selection, row.digest)).plan).toBe(preview.plan);
    w.change([endpoint('b', ['q'], ['10.0.0.9'])]);
    await w.pass(100);
    await expect(previews.confirmed(selection, row.digest)).rejects.toMatchObject({ code: 'digest-stale' });
  });
});

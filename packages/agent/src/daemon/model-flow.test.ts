import { describe, expect, it } from 'vitest';
import { SinceReader } from '../engine/views/member-since.ts';
import { objectOfText } from '../model/object-text.ts';
import { type ObjectRecord, objectKey } from '../model/objects.ts';
import { parseObject } from '../model/parse-object.ts';
import { createProblemBoard } from '../problems/create-problem-board.ts';
import { createMerge } from '../sources/merge.ts';
import type { Source, SourceUpdate } from '../sources/source.ts';
import { storeBench } from '../store/testing/temporary-store.ts';
import { createModelFlow } from './model-flow.ts';
import { createModelHistory } from './model-history.ts';

const profile = (id: string, tags: readonly string[] = ['web']): ObjectRecord => ({
  key: objectKey('profile', id),
  object: { kind: 'profile', id, tags },
  origin: { source: 'model.d', file: 'web.yaml', line: 3 },
  text: JSON.stringify({ tags }),
});

/** A flow with one source that a test speaks for. */
function bench(spokenBefore = false) {
  const { open, clock } = storeBench();
  const store = open();
  if (spokenBefore) store.lastGood.remember('model.d', { at: 1 });
  const order: string[] = [];
  let deliver: (update: SourceUpdate) => void = () => {};
  const source: Source = {
    name: 'model.d',
    kind: 'directory',
    start: async (to) => {
      deliver = to;
    },
    stop: async () => {},
  };
  const problems = createProblemBoard(clock, { emit: () => {} });
  const bugs: unknown[] = [];
  const merge = createMerge({ order: [source], clock });
  const flow = createModelFlow({
    sources: [source],
    merge,
    taker: {
      modelChanged: ({ changes }) => order.push(`model ${changes.map(({ key }) => key).join(' ')}`),
      sourcesChanged: ([one]) => order.push(`source ${one?.state}`),
    },
    history: createModelHistory(store.changes),
    lastGood: store.lastGood,
    events: { emit: () => {} },
    problems,
    clock,
    startTimeoutSeconds: 30,
    onChange: () => {},
    onReconnect: () => order.push('reconnect'),
    onBug: (error) => bugs.push(error),
  });
  const say = async (more: Partial<SourceUpdate>): Promise<void> => {
    deliver({
      source: 'model.d',
      state: 'current',
      since: clock.now(),
      upserts: [],
      deletes: [],
      faults: [],
      files: [],
      ...more,
    });
    await flow.idle();
  };
  return { clock, store, order, problems, bugs, flow, say, codes: () => problems.list().map(({ code }) => code) };
}

describe('the flow of the model', () => {
  it('gives the engine a generation before it says that the source is current: the gate must not open on half a model', async () => {
    const { flow, say, order } = bench();
    await flow.start();
    await say({ upserts: [profile('web')] });
    expect(order).toEqual(['source missing', 'model profile/web', 'source current']);
  });

  it('writes what happened to each object, but nothing for what the store only remembered', async () => {
    const { flow, say, store } = bench(true);
    await flow.start();
    await say({ state: 'stale', upserts: [profile('web')] });
    await say({ upserts: [profile('web', ['web', 'db'])], files: ['web.yaml'], commit: 'abcdef0123456789' });
    await say({ deletes: [objectKey('profile', 'web')], files: ['web.yaml'] });
    await flow.stop();
    const history = store.changes.objectChanges(objectKey('profile', 'web'), 10);
    expect(history).toHaveLength(2);
    expect(history).toMatchObject([
      { kind: 'removed', file: 'web.yaml', text: null },
      { kind: 'changed', file: 'web.yaml', line: 3, text: '{"tags":["web","db"]}' },
    ]);
    const model = store.changes.list({ kind: 'model', limit: 10 }).items;
    expect(model.map(({ text }) => text)).toEqual([
      '1 removed in web.yaml: profile/web',
      '1 changed in web.yaml (abcdef012345): profile/web',
    ]);
  });

  it('keeps of a network too long for a row what each change took in and out, so that its networks have their times', async () => {
    const { flow, say, store, clock } = bench();
    await flow.start();
    const key = objectKey('network', 'block');
    const network = (...more: readonly string[]): ObjectRecord => {
      const nets = [...Array.from({ length: 200 }, (_, i) => `192.0.2.${i}`), ...more];
      const object = parseObject('network', 'block', JSON.stringify({ nets }), 'x');
      return {
        key,
        object: objectOfText(key, object.text ?? ''),
        origin: { source: 'model.d' },
        text: object.text ?? '',
      };
    };
    const told: string[] = [];
    for (const more of [[], ['198.51.100.7'], ['198.51.100.7', '198.51.100.8']]) {
      clock.advance(60_000);
      told.push(new Date(clock.now()).toISOString());
      await say({ upserts: [network(...more)] });
    }
    await flow.stop();
    const reader = new SinceReader(store.changes);
    expect(['192.0.2.199', '198.51.100.7', '198.51.100.8'].map((net) => reader.objectSince(key, net))).toEqual(told);
  });

  it('names the first objects of a large generation and counts the rest', async () => {
    const { flow, say, store } = bench();
    await flow.start();
    await say({ upserts: Array.from({ length: 2_345 }, (_, index) => profile(`p${index}`)) });
    await flow.stop();
    expect(store.changes.list({ kind: 'model', limit: 1 }).items[0]?.text).toBe(
      '2,345 added: profile/p0, profile/p1, profile/p2 and 2,342 more',
    );
    expect(store.changes.objectChanges(objectKey('profile', 'p2344'), 1)).toHaveLength(1);
  });

  it('lets the next change pass while the history of a large one is still being written', async () => {
    const { clock, flow, say, store, order } = bench();
    await flow.start();
    // The writer waits for its clock: nothing of this is written until it goes on.
    await say({ upserts: Array.from({ length: 20_000 }, (_, index) => profile(`p${index}`)) });
    await say({ upserts: [profile('later')] });
    expect(order.slice(-2)).toEqual(['model profile/later', 'source current']);
    expect(store.changes.list({ kind: 'model', limit: 1 }).items).toEqual([]);
    const stopped = flow.stop();
    const ticking = setInterval(() => clock.advance(25), 1);
    await stopped;
    clearInterval(ticking);
    expect(store.changes.objectChanges(objectKey('profile', 'p19999'), 1)).toHaveLength(1);
  });

  it('calls a source missing or stale when it had its chance to speak, not at once', async () => {
    const { flow, say, codes } = bench(true);
    await flow.start();
    await say({ state: 'stale' });
    expect(codes()).toEqual([]);
    await say({ state: 'stale', detail: 'no such directory' });
    expect(codes()).toEqual(['source-stale']);
    await say({ state: 'current' });
    expect(codes()).toEqual([]);
    const silent = bench();
    await silent.flow.start();
    silent.clock.advance(30_000);
    expect(silent.codes()).toEqual(['source-missing']);
  });

  it('tells of a source that comes back', async () => {
    const { flow, say, order } = bench();
    await flow.start();
    for (const state of ['current', 'stale', 'current'] as const) await say({ state });
    expect(order.filter((word) => word === 'reconnect')).toHaveLength(1);
  });

  it('raises each fault with file and line, counts what is too much, and clears what is mended', async () => {
    const { flow, say, problems, codes } = bench();
    await flow.start();
    const fault = (line: number) => ({
      file: 'web.yaml',
      line,
      path: 'endpoints.a',
      reason: 'is no address',
      severity: 'error' as const,
    });
    await say({ faults: [fault(3), { ...fault(4), severity: 'warning' }] });
    expect(problems.list()).toMatchObject([
      { code: 'source-fault', message: 'web.yaml:3: endpoints.a: is no address' },
    ]);
    await say({ faults: Array.from({ length: 200 }, (_, index) => fault(index + 1)) });
    expect(problems.list()).toHaveLength(51);
    await say({});
    expect(codes()).toEqual([]);
  });

  it('goes on after a bug in one update', async () => {
    const { flow, say, bugs, order } = bench();
    await flow.start();
    await say({ source: 'unknown' });
    expect(bugs).toHaveLength(1);
    await say({ upserts: [profile('web')] });
    expect(order.at(-1)).toBe('source current');
  });
});

import { statSync } from 'node:fs';
import type { Run } from '@setkeeper/api';
import { describe, expect, it, vi } from 'vitest';
import { nodeClock } from '../node-clock.ts';
import type { Store } from './store.ts';
import { type StoreBench, storeBench } from './testing/temporary-store.ts';

const run = (id: string, more: Partial<Run> = {}): Run => ({
  id,
  at: '2026-06-01T12:00:00.000Z',
  cause: 'model',
  actor: 'model',
  phase: 'running',
  sets: 1,
  setNames: ['sk-v4-t.web'],
  operations: { applied: 0, rejected: 0, skipped: 0, notRun: 0 },
  lines: 3,
  attempts: 1,
  durationMs: 5,
  digest: 'd',
  ...more,
});

const record = (store: Store, id: string, more: Partial<Run> = {}): void => {
  store.runs.begin(run(id, more), ['create a', 'add a 192.0.2.1', 'add a 192.0.2.2']);
  store.runs.finish(run(id, { phase: 'succeeded', ...more }), [], [], new Map());
};

const withStore = async (work: (store: Store, bench: StoreBench) => Promise<void> | void): Promise<void> => {
  const bench = storeBench();
  const store = bench.open({ clock: nodeClock });
  await work(store, bench);
  expect(bench.told).toEqual([]);
  await store.close();
};

describe('runs', () => {
  it('are shown while they run, before anything is written', () =>
    withStore((store) => {
      store.runs.begin(run('one'), []);
      expect(store.runs.get('one')?.phase).toBe('running');
      expect(store.runs.list({ limit: 10 }).items.map(({ id }) => id)).toEqual(['one']);
    }));

  it('are counted by the minute they began in, those at work left out', () =>
    withStore((store) => {
      record(store, 'old', { at: '2026-06-01T11:00:00.000Z' });
      record(store, 'one', { at: '2026-06-01T12:00:10.000Z' });
      record(store, 'two', { at: '2026-06-01T12:00:50.000Z', phase: 'partly' });
      record(store, 'three', { at: '2026-06-01T12:02:00.000Z' });
      store.runs.begin(run('now', { at: '2026-06-01T12:02:30.000Z' }), []);
      const noon = Date.parse('2026-06-01T12:00:00.000Z');
      expect(store.runs.endedSince(noon)).toEqual([
        { minute: noon / 60_000, runs: 2, failed: 1 },
        { minute: noon / 60_000 + 2, runs: 1, failed: 0 },
      ]);
    }));

  it('keep script, exceptions, sections and read-back over a restart', async () => {
    const bench = storeBench();
    const store = bench.open({ clock: nodeClock });
    const exceptions = [
      { line: 2, outcome: 'rejected' as const, code: 'full' as const, message: 'Hash is full', raw: 'ipset v7: ...' },
      { line: 3, outcome: 'skipped' as const, because: 2 },
    ];
    const sections = [{ firstLine: 1, lines: 3, set: 'a', group: 'tag:web', family: 'inet' as const, how: 'delta' }];
    store.runs.begin(run('one'), ['create a', 'add a 192.0.2.1', 'add a 192.0.2.2']);
    store.runs.finish(run('one', { phase: 'partly' }), exceptions, sections, new Map([['a', '1 member']]));
    expect(store.runs.exceptions('one')).toEqual(exceptions);
    await store.close();

    const again = bench.open({ clock: nodeClock });
    expect(again.runs.get('one')?.phase).toBe('partly');
    expect([...again.runs.script('one')]).toEqual(['create a', 'add a 192.0.2.1', 'add a 192.0.2.2']);
    expect(again.runs.exceptions('one')).toEqual(exceptions);
    expect(again.runs.sections('one')).toEqual(sections);
    expect([...again.runs.readBack('one')]).toEqual([['a', '1 member']]);
    await again.close();
  });

  it('give any page of a long script, in parts', async () => {
    const bench = storeBench();
    const store = bench.open({ clock: nodeClock });
    const lines = Array.from({ length: 12_345 }, (_, index) => `add a ${index}`);
    store.runs.begin(run('long', { lines: lines.length }), lines);
    store.runs.begin(run('late', { lines: 30_000 }), lines);
    expect(store.runs.scriptLines('late', 1, 10)).toEqual([]);
    store.runs.finish(run('late', { lines: 30_000, phase: 'succeeded' }), [], [], new Map());
    await store.close();
    const again = bench.open();
    expect(again.runs.scriptLines('long', 4_999, 4)).toEqual(lines.slice(4_998, 5_002));
    expect(again.runs.scriptLines('long', 12_340, 100)).toEqual(lines.slice(12_339));
    expect([...again.runs.script('late')]).toEqual(lines);
    await again.close();
  });

  it('are found by failure, set, phase and text, as it stands', () =>
    withStore((store) => {
      record(store, 'one');
      record(store, 'two', { phase: 'failed', causeDetail: '100%_sure' });
      record(store, 'three', { setNames: ['sk-v4-t.db'], actor: 'maria' });
      const ids = (filter: Parameters<Store['runs']['list']>[0]) => store.runs.list(filter).items.map(({ id }) => id);
      expect(ids({ limit: 10 })).toEqual(['three', 'two', 'one']);
      expect(ids({ failed: true, limit: 10 })).toEqual(['two']);
      expect(ids({ set: 'sk-v4-t.db', limit: 10 })).toEqual(['three']);
      expect(ids({ phase: 'succeeded', limit: 10 })).toEqual(['three', 'one']);
      expect(ids({ text: 'maria', limit: 10 })).toEqual(['three']);
      expect(ids({ text: '%_', limit: 10 })).toEqual(['two']);
      expect(ids({ text: '%s%', limit: 10 })).toEqual([]);
    }));

  it('are paged without loss or doubles, also in another order', () =>
    withStore((store) => {
      for (let index = 0; index < 25; index += 1) record(store, `r${index}`, { durationMs: (index * 7) % 25 });
      for (const sort of [undefined, { by: 'at', desc: true }, { by: 'durationMs', desc: false }]) {
        const seen: Run[] = [];
        let before: string | undefined;
        do {
          const page = store.runs.list({ limit: 10, ...(sort ? { sort } : {}), ...(before ? { before } : {}) });
          expect(page.total).toBe(25);
          seen.push(...page.items);
          before = page.nextCursor;
        } while (before !== undefined);
        expect(new Set(seen.map(({ id }) => id)).size).toBe(25);
        if (sort?.by === 'durationMs')
          expect(seen.map(({ durationMs }) => durationMs)).toEqual(Array.from({ length: 25 }, (_, i) => i));
      }
    }));
});

describe('history on a full disk', () => {
  it('is paused, still tells what happened since, and is resumed when there is room', async () => {
    const bench = storeBench();
    let freeBytes = 1;
    const store = bench.open({ freeSpace: () => ({ freeBytes, totalBytes: 1e12 }) });
    bench.clock.advance(100);
    expect(bench.told).toEqual([expect.stringMatching(/^history: .* has 0 MiB left/u)]);

    record(store, 'unwritten', { phase: 'failed' });
    expect(store.runs.get('unwritten')?.phase).toBe('failed');
    expect(store.runs.list({ failed: true, limit: 10 }).items.map(({ id }) => id)).toEqual(['unwritten']);
    // What matters more goes on.
    store.facts.put('hold', 'all', {});
    expect(store.audit.begin({ at: '', actor: 'a', role: 'b', verb: 'c', input: '', via: '', requestId: '' })).toBe(
      '1',
    );

    freeBytes = 1e12;
    bench.clock.advance(10_000);
    expect(bench.told.at(-1)).toBe('history: on');
    record(store, 'written');
    bench.clock.advance(100);
    expect(store.runs.list({ limit: 10 }).items.map(({ id }) => id)).toContain('written');
    bench.clock.advance(100);
  });
});

describe('retention', () => {
  it('cuts the oldest runs, and with them all that belongs to them', async () => {
    const bench = storeBench();
    const store = bench.open({ history: { runs: 5, days: 30, maxMiB: 512 }, clock: nodeClock });
    for (let index = 0; index < 60; index += 1) record(store, `r${index}`, { at: new Date().toISOString() });
    await store.close();
    const again = bench.open({ history: { runs: 5, days: 30, maxMiB: 512 } });
    bench.clock.jumpTo(Date.now());
    bench.clock.advance(1_000);
    expect(again.runs.list({ limit: 100 }).items.map(({ id }) => id)).toEqual(['r59', 'r58', 'r57', 'r56', 'r55']);
    expect(again.runs.list({ set: 'sk-v4-t.web', limit: 100 }).total).toBe(5);
    expect([...again.runs.script('r0')]).toEqual([]);
    expect([...again.runs.script('r59')]).toHaveLength(3);
    await again.close();
  });

  it('cuts what is too old, but never the newest row of an object', async () => {
    const bench = storeBench();
    const store = bench.open();
    const at = (days: number): string => new Date(bench.clock.now() - days * 86_400_000).toISOString();
    record(store, 'old', { at: at(40) });
    store.changes.append({ at: at(40), kind: 'model', actor: 'a', subject: 's', text: 'old', groups: [] });
    store.changes.append({ at: at(1), kind: 'model', actor: 'a', subject: 's', text: 'new', groups: [] });
    const row = { key: 'endpoint/x' as never, source: 'd', text: null };
    store.changes.appendObjects([
      { ...row, at: at(50), kind: 'added' },
      { ...row, at: at(45), kind: 'changed' },
    ]);
    bench.clock.advance(5 * 3_600_000);
    expect(store.runs.list({ limit: 10 }).total).toBe(1);
    bench.clock.advance(2 * 3_600_000);
    expect(store.runs.list({ limit: 10 }).total).toBe(0);
    expect(store.changes.list({ limit: 10 }).items.map(({ text }) => text)).toEqual(['new']);
    expect(store.changes.objectChanges('endpoint/x' as never, 10).map(({ kind }) => kind)).toEqual(['changed']);
  });

  it('keeps the file below its size', async () => {
    const bench = storeBench();
    const history = { runs: 10_000, days: 30, maxMiB: 1 };
    const store = bench.open({ history, clock: nodeClock });
    const noise = (index: number): string[] =>
      Array.from({ length: 400 }, (_, line) => `add a ${Math.sin(index * 1000 + line)}`);
    for (let index = 0; index < 300; index += 1) {
      store.runs.begin(run(`r${index}`, { lines: 400, at: new Date().toISOString() }), noise(index));
      store.runs.finish(run(`r${index}`, { lines: 400, phase: 'succeeded' }), [], [], new Map());
    }
    await store.close();
    const again = bench.open({ history });
    bench.clock.jumpTo(Date.now());
    for (let turn = 0; turn < 20; turn += 1) bench.clock.advance(100);
    const left = again.runs.list({ limit: 1 }).total;
    expect(left).toBeLessThan(250);
    expect(left).toBeGreaterThan(10);
    expect([...again.runs.script('r299')]).toHaveLength(400);
    await again.close();
  });
});

describe('the logs beside the files', () => {
  it('are brought in by another thread when they have grown, and a commit never waits for it', async () => {
    const bench = storeBench();
    const store = bench.open();
    const row = { at: '2026-06-01T12:00:00Z', kind: 'added' as const, source: 'd', text: 'x'.repeat(1_900) };
    store.changes.appendObjects(
      Array.from({ length: 8_000 }, (_, index) => ({ ...row, key: `endpoint/${index}` as never })),
    );
    expect(store.changes.objectChanges('endpoint/7999' as never, 1)).toHaveLength(1);
    const log = `${bench.path.replace('.db', '.history.db')}-wal`;
    const file = bench.path.replace('.db', '.history.db');
    expect(statSync(log).size).toBeGreaterThan(8 * 1024 * 1024);
    expect(statSync(file).size).toBeLessThan(1024 * 1024);
    bench.clock.advance(5_100);
    await vi.waitFor(() => expect(statSync(file).size).toBeGreaterThan(8 * 1024 * 1024), { timeout: 10_000 });
    await store.close();
    expect(bench.told).toEqual([]);
  });
});

describe('a million changes at once', () => {
  it('keep nobody waiting who looks at runs, or at the history of one object', async () => {
    const bench = storeBench();
    const store = bench.open({ clock: nodeClock });
    const row = { at: '2026-06-01T12:00:00Z', kind: 'added' as const, source: 'd', text: '{}' };
    store.changes.appendObjects(
      Array.from({ length: 300_000 }, (_, index) => ({ ...row, key: `endpoint/${index}` as never })),
    );
    record(store, 'one');
    expect(store.runs.list({ limit: 1 }).items.map(({ id }) => id)).toEqual(['one']);
    // The newest is far back in the queue: the answer is what is there so far, not a wait for all of it.
    expect(store.changes.objectChanges('endpoint/299999' as never, 1)).toEqual([]);
    await vi.waitFor(() => expect(store.changes.objectChanges('endpoint/299999' as never, 1)).toHaveLength(1), {
      timeout: 30_000,
    });
    expect(bench.told).toEqual([]);
    await store.close();
  }, 60_000);
});

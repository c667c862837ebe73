import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createAuditRepository } from './audit-repository.ts';
import type { Database } from './database.ts';
import type { Store } from './store.ts';
import { StoreFault } from './store-fault.ts';
import { storeBench } from './testing/temporary-store.ts';

const act = (store: Store, verb: string, actor = 'maria'): string =>
  store.audit.begin({
    at: '2026-06-01T12:00:00.000Z',
    actor,
    role: 'operator',
    verb,
    input: '{"group":"tag:web"}',
    via: 'gateway',
    requestId: 'r',
  });

/** A store with ten finished acts, and a second hand on its file. */
const tampered = () => {
  const bench = storeBench();
  const store = bench.open();
  for (let index = 0; index < 10; index += 1) store.audit.finish(act(store, `verb.${index}`), 'done', 1);
  return { bench, store, other: new DatabaseSync(bench.path) };
};

describe('the audit', () => {
  it('shows an intent at once, and its result with it later', async () => {
    const bench = storeBench();
    const store = bench.open();
    const id = act(store, 'sets.reprogram');
    expect(store.audit.list({ limit: 10 }).items).toMatchObject([{ id, result: 'running', durationMs: null }]);
    store.audit.finish(id, 'succeeded run 7', 12);
    expect(store.audit.list({ limit: 10 }).items).toMatchObject([
      { id, actor: 'maria', verb: 'sets.reprogram', result: 'succeeded run 7', durationMs: 12 },
    ]);
    await store.close();
  });

  it('marks an act without a result as interrupted at the next start', async () => {
    const bench = storeBench();
    const store = bench.open();
    store.audit.finish(act(store, 'a'), 'done', 1);
    act(store, 'b');
    await store.close();
    const again = bench.open();
    expect(again.audit.interruptOpen()).toBe(1);
    expect(again.audit.list({ limit: 10 }).items.map(({ verb, result }) => [verb, result])).toEqual([
      ['b', 'interrupted'],
      ['a', 'done'],
    ]);
    expect(again.audit.interruptOpen()).toBe(0);
    await again.close();
  });

  it('is searched by actor, verb and any text, results too, and paged', async () => {
    const bench = storeBench();
    const store = bench.open();
    for (let index = 0; index < 5; index += 1)
      store.audit.finish(act(store, 'a', index % 2 ? 'jo' : 'maria'), 'done', 1);
    store.audit.finish(act(store, 'b', 'jo'), 'digest-stale', 1);
    expect(store.audit.list({ actor: 'jo', limit: 10 }).total).toBe(3);
    expect(store.audit.list({ verb: 'b', limit: 10 }).total).toBe(1);
    expect(store.audit.list({ text: 'stale', limit: 10 }).items.map(({ verb }) => verb)).toEqual(['b']);
    const first = store.audit.list({ limit: 4 });
    const second = store.audit.list({ limit: 4, ...(first.nextCursor ? { before: first.nextCursor } : {}) });
    expect([...first.items, ...second.items]).toHaveLength(6);
    expect(second.nextCursor).toBeUndefined();
    await store.close();
  });

  it('verifies what it wrote, over a restart', async () => {
    const { bench, store, other } = tampered();
    other.close();
    const { hash } = store.audit.head();
    expect(await store.audit.verify()).toMatchObject({ ok: true, entries: 20, head: hash });
    await store.close();
    const again = bench.open();
    expect(await again.audit.verify()).toMatchObject({ ok: true, entries: 20, head: hash });
    await again.close();
  });

  it.each([
    ['a changed line', "UPDATE audit SET entry = replace(entry, 'maria', 'nobody') WHERE seq = 7", '7'],
    ['a removed line', 'DELETE FROM audit WHERE seq = 7', '7'],
    ['a cut end', 'DELETE FROM audit WHERE seq > 17', '18'],
    ['an added line', "INSERT INTO audit VALUES (21, '{}', 'x')", '21'],
    [
      'two lines that changed places',
      'UPDATE audit SET seq = CASE seq WHEN 3 THEN -5 WHEN 5 THEN 3 ELSE 5 END WHERE seq IN (3, 5); UPDATE audit SET seq = 5 WHERE seq = -5',
      '3',
    ],
    ['an act hidden from the list', 'DELETE FROM audit_act WHERE seq = 7', '7'],
    ['an act listed as another one', "UPDATE audit_act SET actor = 'nobody' WHERE seq = 7", '7'],
    ['an act that shows the result of another', 'UPDATE audit_act SET result = 10 WHERE seq = 7', '7'],
    [
      'an act whose result was taken from it',
      'UPDATE audit_act SET result = NULL, text = substr(text, 1, length(text) - 5) WHERE seq = 7',
      '8',
    ],
    ['an act that no search finds', "UPDATE audit_act SET text = '' WHERE seq = 7", '7'],
    ['a beginning cut away', 'DELETE FROM audit WHERE seq <= 4', '1'],
  ])('finds %s', async (_what, sql, brokenAt) => {
    const { store, other } = tampered();
    other.exec(sql);
    other.close();
    expect(await store.audit.verify()).toMatchObject({ ok: false, brokenAt });
    await store.close();
  });

  it('finds a chain that was rewritten whole behind a running agent', async () => {
    const { store, other } = tampered();
    const { createHash } = await import('node:crypto');
    let before = '0'.repeat(64);
    for (const row of other.prepare('SELECT seq, entry FROM audit ORDER BY seq').all()) {
      const entry = String(row.entry).replace('tag:web', 'tag:db');
      before = createHash('sha256').update(`${before}\n${row.seq}\n${entry}`).digest('hex');
      other.prepare('UPDATE audit SET entry = ?, hash = ? WHERE seq = ?').run(entry, before, row.seq ?? null);
    }
    other.close();
    expect(await store.audit.verify()).toMatchObject({ ok: false, detail: expect.stringContaining('rewritten') });
    await store.close();
  });

  it('loses nothing to a clock that was wrong for a moment', async () => {
    const { bench, store, other } = tampered();
    other.close();
    bench.clock.advance(7 * 3_600_000);
    bench.clock.jumpTo(bench.clock.now() + 4_000 * 86_400_000);
    bench.clock.advance(3_600_000);
    bench.clock.jumpTo(bench.clock.now() - 4_000 * 86_400_000);
    bench.clock.advance(7 * 3_600_000);
    expect(store.audit.list({ limit: 100 }).total).toBe(10);
    await store.close();
  });

  it('still verifies after its oldest lines were cut', async () => {
    const { bench, store, other } = tampered();
    other.close();
    bench.clock.jumpTo(bench.clock.now() + 401 * 86_400_000);
    store.audit.finish(act(store, 'late'), 'done', 1);
    bench.clock.advance(7 * 3_600_000);
    expect(store.audit.list({ limit: 100 }).total).toBeLessThan(11);
    expect(await store.audit.verify()).toMatchObject({ ok: true });
    await store.close();
  });
});

describe('the result of an act', () => {
  it('is written at once, and on the disk when it is said to be', async () => {
    const bench = storeBench();
    await bench.open().close();
    const { openDatabase } = await import('./database.ts');
    const database = openDatabase(bench.path);
    const done: string[] = [];
    const watched: Database = {
      ...database,
      flush: async () => {
        await database.flush();
        done.push('on the disk');
      },
    };
    const audit = createAuditRepository(watched, bench.clock, () => done.push('paused'));
    const entry = { at: '2026-06-01T12:00:00Z', actor: 'a', role: 'r', verb: 'v', input: '', via: '', requestId: '' };
    const durable = audit.finish(audit.begin(entry), 'done', 1);
    expect(audit.list({ limit: 1 }).items).toMatchObject([{ result: 'done' }]);
    expect(done).toEqual([]);
    await durable;
    expect(done).toEqual(['on the disk']);
    database.close();
  });
});

describe('an audit whose disk is full', () => {
  /** A database that refuses to write while `isFull`. */
  const full = (database: Database) => {
    const state = { isFull: true };
    const refusing: Database = {
      ...database,
      transaction: (work) => {
        if (state.isFull) throw new StoreFault('disk-full', database.path, 'full');
        return database.transaction(work);
      },
    };
    return { state, refusing };
  };

  it('keeps lines in memory, says so, and writes them in their order when there is room', async () => {
    const bench = storeBench();
    await bench.open().close();
    const { openDatabase } = await import('./database.ts');
    const database = openDatabase(bench.path);
    const { state, refusing } = full(database);
    const told: string[] = [];
    const audit = createAuditRepository(refusing, bench.clock, () => told.push('paused'));
    const entry = { at: '2026-06-01T12:00:00Z', actor: 'a', role: 'r', verb: 'v', input: '', via: '', requestId: '' };
    for (let index = 0; index < 1_500; index += 1) await audit.finish(audit.begin(entry), 'done', 1);
    expect(told.length).toBeGreaterThan(0);
    expect(audit.writeWaiting()).toBe(false);
    state.isFull = false;
    expect(audit.writeWaiting()).toBe(true);
    expect(await audit.verify()).toMatchObject({ ok: true });
    // 2,000 lines were kept, the rest is owned up to in one line.
    expect(database.get('SELECT count(*) AS n FROM audit WHERE entry LIKE \'%"gap"%"lost":1000%\'')).toEqual({ n: 1 });
    expect(database.get('SELECT count(*) AS n FROM audit')).toEqual({ n: 2_001 });
    database.close();
  });

  it('gives the result of an act whose beginning was lost to no other act', async () => {
    const bench = storeBench();
    await bench.open().close();
    const { openDatabase } = await import('./database.ts');
    const database = openDatabase(bench.path);
    const { state, refusing } = full(database);
    const audit = createAuditRepository(refusing, bench.clock, () => {});
    const entry = { at: '2026-06-01T12:00:00Z', actor: 'a', role: 'r', verb: 'v', input: '', via: '', requestId: '' };
    for (let index = 0; index < 2_000; index += 1) audit.begin(entry);
    const lost = audit.begin({ ...entry, verb: 'lost' });
    state.isFull = false;
    audit.writeWaiting();
    await audit.finish(lost, 'of the lost one', 1);
    expect(audit.list({ text: 'of the lost one', limit: 10 }).total).toBe(0);
    expect(audit.list({ limit: 1 }).items).toMatchObject([{ verb: 'v', result: 'running' }]);
    expect(database.get('SELECT count(*) AS n FROM audit WHERE entry LIKE \'%"gap"%"lost":1}\'')).toEqual({ n: 2 });
    expect(await audit.verify()).toMatchObject({ ok: true });
    database.close();
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { historyPathOf } from './open-store.ts';
import { StoreFault } from './store-fault.ts';
import { storeBench } from './testing/temporary-store.ts';

const faultOf = (work: () => unknown): StoreFault => {
  try {
    work();
  } catch (error) {
    if (error instanceof StoreFault) return error;
    throw error;
  }
  throw new Error('no fault');
};

describe('opening the store', () => {
  it('keeps what was written over a restart', async () => {
    const bench = storeBench();
    const first = bench.open();
    first.facts.put('pin', 'tag:web', { by: 'maria' });
    first.lastGood.remember('model.d', { at: 1, commit: 'abc' });
    await first.close();
    const second = bench.open();
    expect(second.facts.list('pin')).toEqual([{ id: 'tag:web', value: { by: 'maria' } }]);
    expect(second.lastGood.hasSpoken('model.d')).toBe(true);
    expect(second.lastGood.facts('model.d')).toEqual({ at: 1, commit: 'abc' });
    expect(second.wasSetAside).toBe(false);
    await second.close();
  });

  it('makes files that only the agent can read', async () => {
    const bench = storeBench();
    await bench.open().close();
    for (const path of [bench.path, historyPathOf(bench.path)]) expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses a store that another agent has', async () => {
    const bench = storeBench();
    const first = bench.open();
    expect(faultOf(() => bench.open()).message).toMatch(/Another agent uses the store/u);
    await first.close();
    await bench.open().close();
  });

  it('refuses a newer store with a sentence, and leaves it as it is', async () => {
    const bench = storeBench();
    await bench.open().close();
    const newer = new DatabaseSync(bench.path);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const before = readFileSync(bench.path);
    const fault = faultOf(() => bench.open());
    expect(fault.code).toBe('newer');
    expect(fault.message).toMatch(/written by a newer Setkeeper \(store version 99/u);
    expect(readFileSync(bench.path).equals(before)).toBe(true);
  });

  it.each([
    ['garbage', (path: string) => writeFileSync(path, 'not a database at all '.repeat(1000))],
    ['an empty file', (path: string) => truncateSync(path, 0)],
    ['a cut file', (path: string) => truncateSync(path, 8192)],
    [
      'a page of zeros',
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.fill(0, 4096, 8192);
        writeFileSync(path, bytes);
      },
    ],
  ])('sets %s aside, says so until an operator has taken note, and begins anew', async (_what, damage) => {
    const bench = storeBench();
    const store = bench.open();
    store.facts.put('pin', 'tag:web', {});
    await store.close();
    damage(bench.path);

    const fresh = bench.open();
    expect(fresh.wasSetAside).toBe(true);
    expect(bench.told).toEqual(['set-aside store']);
    expect(fresh.facts.list('pin')).toEqual([]);
    const kept = readdirSync(dirname(bench.path)).filter((name) => name.startsWith(`${basename(bench.path)}.damaged-`));
    expect(kept.length).toBeGreaterThan(0);
    await fresh.close();

    const restarted = bench.open();
    expect(restarted.wasSetAside).toBe(true);
    restarted.acknowledgeSetAside();
    expect(restarted.wasSetAside).toBe(false);
    await restarted.close();
    const later = bench.open();
    expect(later.wasSetAside).toBe(false);
    await later.close();
  });

  it('loses only history when history is damaged', async () => {
    const bench = storeBench();
    const store = bench.open();
    store.facts.put('pin', 'tag:web', {});
    await store.close();
    writeFileSync(historyPathOf(bench.path), 'garbage'.repeat(1000));
    const again = bench.open();
    expect(bench.told).toEqual(['set-aside history']);
    expect(again.wasSetAside).toBe(false);
    expect(again.facts.list('pin')).toHaveLength(1);
    await again.close();
  });

  it('says which folder it cannot use', () => {
    const bench = storeBench();
    const file = join(dirname(bench.path), 'file');
    writeFileSync(file, '');
    expect(faultOf(() => bench.open({ path: `${file}/agent.db` })).message).toContain(`folder ${file} cannot be made`);
  });
});

describe('a store whose agent is killed', () => {
  it('is sound, and has every act that was acknowledged', async () => {
    const bench = storeBench();
    const acknowledged: number[] = [];
    for (let kill = 0; kill < 3; kill += 1) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/writing-store.ts'), bench.path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      for await (const chunk of child.stdout) {
        said += String(chunk);
        // Lines enough to be in the middle of everything; another number each time.
        if (said.length > 200 + kill * 177) break;
      }
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      acknowledged.push(...said.split('\n').slice(0, -1).map(Number));
    }
    const store = bench.open();
    expect(bench.told).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(60);
    const kept = new Set<number>();
    let before: string | undefined;
    do {
      const page = store.audit.list({ limit: 1_000, ...(before === undefined ? {} : { before }) });
      for (const { id } of page.items) kept.add(Number(id));
      before = page.nextCursor;
    } while (before !== undefined);
    expect(acknowledged.filter((act) => !kept.has(act))).toEqual([]);
    expect(await store.audit.verify()).toMatchObject({ ok: true });

    expect(store.audit.interruptOpen()).toBeLessThanOrEqual(3);
    expect(store.runs.interruptRunning()).toBeGreaterThan(0);
    expect(store.runs.list({ phase: 'running', limit: 10 }).total).toBe(0);
    expect(store.runs.list({ phase: 'interrupted', limit: 1 }).items[0]?.error?.code).toBe('interrupted');
    await store.close();
    expect(existsSync(`${bench.path}-wal`)).toBe(false);
    // Waits for the disk some hundred times, and starts three processes: slow where the machine is busy.
  }, 60_000);
});

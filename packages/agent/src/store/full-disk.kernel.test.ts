import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storeBench } from './testing/temporary-store.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('skipped: a small disk of its own needs root (mount)');

describe.skipIf(!isRoot)('a store on a disk that is full', () => {
  it('opens, gives back what it has, keeps what comes in memory, and writes it when there is room', async () => {
    const bench = storeBench();
    const disk = join(dirname(bench.path), 'disk');
    mkdirSync(disk);
    await execa('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]);
    onTestFinished(async () => {
      await execa('umount', [disk]);
    });
    const path = join(disk, 'agent.db');
    const filler = join(disk, 'filler');
    const act = { at: '2026-06-01T12:00:00Z', actor: 'a', role: 'r', verb: 'v', input: '', via: '', requestId: '' };

    const first = bench.open({ path });
    first.facts.put('pin', 'before', {});
    await first.close();
    expect(() => writeFileSync(filler, Buffer.alloc(4 * 1024 * 1024))).toThrow(/ENOSPC/u);

    const full = bench.open({ path });
    full.facts.put('pin', 'meanwhile', { big: 'x'.repeat(5_000) });
    const id = full.audit.begin(act);
    await full.audit.finish(id, 'done', 1);
    expect(full.facts.list('pin').map(({ id }) => id)).toEqual(['before', 'meanwhile']);
    expect(bench.told.map((words) => words.split(':')[0])).toEqual(['facts', 'audit', 'audit']);
    bench.clock.advance(10_000);
    expect(bench.told).toContainEqual(expect.stringMatching(/^history: .* has 0 MiB left/u));

    rmSync(filler);
    bench.clock.advance(10_000);
    expect(bench.told).toEqual(expect.arrayContaining(['facts: on', 'audit: on', 'history: on']));
    await full.close();
    const after = bench.open({ path });
    expect(after.facts.list('pin').map(({ id }) => id)).toEqual(['before', 'meanwhile']);
    expect(after.audit.list({ limit: 10 }).items).toMatchObject([{ id, result: 'done' }]);
    expect(await after.audit.verify()).toMatchObject({ ok: true });
    await after.close();
  });
});

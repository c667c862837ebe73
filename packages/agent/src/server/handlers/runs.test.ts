import { LineOutcome, type Run, RunDetail } from '@setkeeper/api';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../../node-clock.ts';
import type { Store } from '../../store/store.ts';
import { storeBench } from '../../store/testing/temporary-store.ts';
import { runsHandlers } from './runs.ts';

const call = {
  caller: { subject: 'a', name: 'a', role: 'viewer', via: 'gateway' },
  requestId: 'r',
  signal: undefined,
} as const;

/** 1 create, 9,999 adds of net:block of which 50 are full, then a rejected create of tag:web that skips 3 adds. */
const LINES = [
  'create sk-v4-n.block hash:net family inet maxelem 9949',
  ...Array.from({ length: 9_999 }, (_, index) => `add sk-v4-n.block 10.${index >> 8}.${index & 255}.0/24`),
  'create sk-v4-t.web hash:ip family inet',
  'add sk-v4-t.web 192.0.2.1',
  'add sk-v4-t.web 192.0.2.2',
  'add sk-v4-t.web 192.0.2.3',
];
const full = {
  outcome: 'rejected',
  code: 'full',
  message: 'Hash is full, cannot add more elements',
  raw: 'ipset v7.17: ...',
} as const;

const run = (phase: Run['phase']): Run => ({
  id: 'r1',
  at: '2026-06-01T12:00:00.000Z',
  cause: 'model',
  actor: 'model',
  phase,
  sets: 2,
  operations: { applied: 9_950, rejected: 51, skipped: 3, notRun: 0 },
  lines: LINES.length,
  attempts: 2,
  durationMs: 12,
  digest: 'd',
});

async function withRun(
  phase: Run['phase'],
  work: (handlers: ReturnType<typeof runsHandlers>, store: Store) => Promise<void>,
) {
  const bench = storeBench();
  const store = bench.open({ clock: nodeClock });
  store.runs.begin(run('running'), LINES);
  if (phase !== 'running')
    store.runs.finish(
      run(phase),
      [
        ...Array.from({ length: 50 }, (_, index) => ({ line: 9_951 + index, ...full })),
        { line: 10_001, outcome: 'rejected', code: 'type-mismatch', message: 'types differ' },
        ...[10_002, 10_003, 10_004].map((line) => ({ line, outcome: 'skipped' as const, because: 10_001 })),
      ],
      [
        { firstLine: 1, lines: 10_000, set: 'sk-v4-n.block', group: 'net:block', family: 'inet', how: 'delta' },
        { firstLine: 10_001, lines: 4, set: 'sk-v4-t.web', group: 'tag:web', family: 'inet', how: 'create' },
      ],
      new Map([['sk-v4-n.block', 'hash:net, 9,949 members']]),
    );
  await store.close();
  const again = bench.open({ clock: nodeClock });
  await work(runsHandlers({ runs: again.runs, now: () => 0, retryable: ({ id }) => (id === 'r1' ? 7 : 0) }), again);
  await again.close();
}

const page = (more: object) => ({ id: 'r1', limit: 100, only: 'all', order: 'line', ...more }) as never;

describe('one run', () => {
  it('groups its failures by cause, the largest first, with what to do', () =>
    withRun('partly', async (handlers) => {
      const detail = RunDetail.parse(await handlers['runs.get']({ id: 'r1', scriptLimit: 3 }, call));
      expect(detail.failures).toMatchObject([
        {
          code: 'full',
          count: 50,
          set: 'sk-v4-n.block',
          group: 'net:block',
          firstLine: 9_951,
          remedy: expect.stringContaining('maxelem'),
        },
        { code: 'type-mismatch', count: 1, set: 'sk-v4-t.web', firstLine: 10_001 },
      ]);
      expect(detail.retryable).toBe(7);
      expect(detail.script).toBe(`${LINES.slice(0, 3).join('\n')}\n`);
      expect(detail.scriptTruncated).toBe(true);
      expect((await handlers['runs.get']({ id: 'r1', scriptLimit: 20_000 }, call)).scriptTruncated).toBe(false);
    }));

  it('says that it does not exist', () =>
    withRun('partly', async (handlers) => {
      await expect(async () => handlers['runs.get']({ id: 'none', scriptLimit: 3 }, call)).rejects.toThrow(
        'There is no run none',
      );
    }));
});

describe('the outcomes of a run', () => {
  it('have one row for every line, each with its text, meaning and what became of it', () =>
    withRun('partly', async (handlers) => {
      const rows: LineOutcome[] = [];
      let cursor: string | undefined;
      do {
        const answer = await handlers['runs.outcomes'](page({ limit: 1_000, cursor }), call);
        expect(answer.total).toBe(LINES.length);
        rows.push(...answer.items);
        cursor = answer.nextCursor;
      } while (cursor !== undefined);
      expect(rows.map(({ text }) => text)).toEqual(LINES);
      for (const row of rows) LineOutcome.parse(row);
      expect(rows.filter(({ outcome }) => outcome === 'applied')).toHaveLength(9_950);
      expect(rows[1]?.meaning).toContain('10.0.0.0/24');
      expect(rows[9_950]).toMatchObject({
        line: 9_951,
        code: 'full',
        message: full.message,
        raw: full.raw,
        readBack: 'hash:net, 9,949 members',
      });
      expect(rows.at(-1)).toMatchObject({ outcome: 'skipped', because: 10_001, set: 'sk-v4-t.web', group: 'tag:web' });
    }));

  it.each([
    [{}, 54 + 9_950],
    [{ filter: '.2' }, null],
  ])('come page by page, those that were not applied first, where that is asked for: %j', (wanted, total) =>
    withRun('partly', async (handlers) => {
      const asked = { ...wanted, limit: 1_000 };
      const all = async (order: string): Promise<LineOutcome[]> => {
        const rows: LineOutcome[] = [];
        let cursor: string | undefined;
        do {
          const answer = await handlers['runs.outcomes'](page({ ...asked, order, cursor }), call);
          rows.push(...answer.items);
          cursor = answer.nextCursor;
        } while (cursor !== undefined);
        return rows;
      };
      const asScript = await all('line');
      const failedFirst = await all('failed-first');
      if (total !== null) expect(asScript).toHaveLength(total);
      const isApplied = ({ outcome }: LineOutcome): boolean => outcome === 'applied';
      expect(failedFirst).toEqual([...asScript.filter((row) => !isApplied(row)), ...asScript.filter(isApplied)]);
      expect(isApplied(failedFirst[0] as LineOutcome)).toBe(false);
    }),
  );

  it.each([
    [{ only: 'bad' }, 54, 9_951],
    [{ only: 'skipped' }, 3, 10_002],
    [{ only: 'applied' }, 9_950, 1],
    [{ code: 'full' }, 50, 9_951],
    [{ set: 'sk-v4-t.web' }, 4, 10_001],
    [{ set: 'sk-v4-t.web', only: 'bad', filter: '192.0.2.2' }, 1, 10_003],
    [{ filter: ' 10.38.' }, 256, 9_730],
    [{ set: 'none' }, 0, undefined],
  ])('are filtered by %j', (filter, total, firstLine) =>
    withRun('partly', async (handlers) => {
      const answer = await handlers['runs.outcomes'](page({ limit: 10, ...filter }), call);
      expect(answer.total).toBe(total);
      expect(answer.items[0]?.line).toBe(firstLine);
      const lines = answer.items.map(({ line }) => line);
      if (answer.nextCursor !== undefined) {
        const second = await handlers['runs.outcomes'](page({ limit: 10, ...filter, cursor: answer.nextCursor }), call);
        expect(second.items[0]?.line).toBeGreaterThan(lines.at(-1) ?? 0);
        expect(second.total).toBe(total);
      }
    }),
  );

  it.each(['running', 'interrupted'] as const)('claim nothing as applied that is not known to be: %s', (phase) =>
    withRun('running', async (handlers, store) => {
      if (phase === 'interrupted') store.runs.interruptRunning();
      const answer = await handlers['runs.outcomes'](page({ limit: 5 }), call);
      expect(new Set(answer.items.map(({ outcome }) => outcome))).toEqual(new Set(['not-run']));
      expect(answer.items[0]?.message).toMatch(phase === 'running' ? /Not acknowledged yet/u : /agent ended/u);
    }),
  );
});

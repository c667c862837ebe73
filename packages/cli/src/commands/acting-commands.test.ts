import { ApiError, CleanupResult, Run, verbs } from '@setkeeper/api';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeAgent, type FakeAgentOptions, startFakeAgent } from '../testing/fake-agent.ts';
import { runCli } from '../testing/run-cli.ts';
import { at, digest, pageWith, sampleCleanup, sampleHeld, sampleRun, sampleRunDetail } from '../testing/samples.ts';

let agent: FakeAgent | undefined;
const start = async (options: FakeAgentOptions): Promise<string> => {
  agent = await startFakeAgent(options);
  return agent.socket;
};
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

/** A run that is running when it is made and has ended when it is asked for the second time. */
function slowRun(end: Partial<Run>) {
  let asked = 0;
  return {
    made: () => sampleRun({ phase: 'running' }),
    'runs.get': () => sampleRunDetail({ phase: 'running', ...(++asked > 1 ? end : {}) }),
  };
}

describe('a command that makes a run', () => {
  it('returns when the run has ended and prints its final state', async () => {
    const run = slowRun({ phase: 'succeeded' });
    const socket = await start({
      handlers: { 'plan.apply': run.made, 'runs.get': run['runs.get'], 'held.list': () => [] },
    });
    const result = await runCli(['apply', 'tag:web', '--json'], { socket });
    expect(result.exitCode).toBe(0);
    expect(Run.parse(result.json())).toMatchObject({ id: '7', phase: 'succeeded' });
    expect(result.json()).not.toHaveProperty('script');
    expect(agent?.asked[0]).toMatchObject({ verb: 'plan.apply', input: { groups: ['tag:web'], wait: false } });
  });

  it('exits 1 for a run that ended partly, and says where to look', async () => {
    const run = slowRun({ phase: 'partly', operations: { applied: 1, rejected: 1, skipped: 1, notRun: 0 } });
    const socket = await start({ handlers: { 'sets.reprogram': run.made, 'runs.get': run['runs.get'] } });
    const result = await runCli(['reprogram', 'tag:web'], { socket });
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain('run 7 partly: 1 applied, 1 rejected, 1 skipped');
    expect(result.stderr).toContain('setkeeper run 7 --lines bad');
  });

  it('returns at once with --no-wait', async () => {
    const socket = await start({ handlers: { 'plan.apply': () => sampleRun({ phase: 'running' }) } });
    const result = await runCli(['apply', '--no-wait', '--json'], { socket });
    expect(result.exitCode).toBe(0);
    expect(result.json()).toMatchObject({ phase: 'running' });
    expect(agent?.asked.map(({ verb }) => verb)).toEqual(['plan.apply']);
  });

  it('exits 1 when an apply leaves removals held', async () => {
    const socket = await start({ handlers: { 'plan.apply': () => sampleRun(), 'held.list': () => [sampleHeld()] } });
    const result = await runCli(['apply'], { socket });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('setkeeper release h1');
  });

  it('exits 3 for a stale digest and shows the digest of now', async () => {
    const socket = await start({
      handlers: {
        'plan.apply': () => {
          throw new ApiError('digest-stale', 'the plan has changed', { details: { digest }, remedy: 'look again' });
        },
      },
    });
    const result = await runCli(['apply', '--digest', 'cd'.repeat(32)], { socket });
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain('the plan has changed');
    expect(result.stderr).toContain(`digest now: ${digest}`);
    expect(result.stderr).toContain('remedy: look again');
  });

  it('draws a progress bar on a terminal, and nowhere else', async () => {
    const running = { done: 40, total: 100, rejected: 1 };
    let asked = 0;
    const options: FakeAgentOptions = {
      handlers: {
        'runs.retry': () => sampleRun({ phase: 'running' }),
        'runs.get': () => sampleRunDetail({ phase: ++asked > 2 ? 'succeeded' : 'running' }),
      },
      events: async function* (_last, signal) {
        yield { id: 'e-1', at, type: 'run-progress', run: '7', progress: running };
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      },
    };
    const socket = await start(options);
    expect((await runCli(['retry', '7'], { socket, isTTY: true })).stderr).toContain('40 of 100 lines, 1 rejected');
    asked = 0;
    expect((await runCli(['retry', '7'], { socket })).stderr).toBe('');
  });

  it('goes on waiting while the agent is not ready', async () => {
    let asked = 0;
    const socket = await start({
      handlers: {
        'held.release': () => sampleRun({ phase: 'running', cause: 'release' }),
        'runs.get': () => {
          if (++asked < 3) throw new ApiError('not-ready', 'starting');
          return sampleRunDetail({ phase: 'interrupted', cause: 'release' });
        },
      },
    });
    const result = await runCli(['release', 'h1', '--json'], { socket });
    expect(result.exitCode).toBe(1);
    expect(result.json()).toMatchObject({ phase: 'interrupted', cause: 'release' });
  });
});

describe('reprogram', () => {
  it('needs groups or --all, not both', async () => {
    const socket = await start({});
    expect((await runCli(['reprogram'], { socket })).exitCode).toBe(2);
    expect((await runCli(['reprogram', 'tag:web', '--all'], { socket })).exitCode).toBe(2);
    expect(agent?.asked).toEqual([]);
  });

  it('passes the new capacity on', async () => {
    const socket = await start({ handlers: { 'sets.reprogram': () => sampleRun() } });
    await runCli(['reprogram', 'net:x', '--maxelem', '2048', '--reason', 'grow'], { socket });
    expect(verbs['sets.reprogram'].input.parse(agent?.asked[0]?.input)).toMatchObject({
      groups: ['net:x'],
      maxelem: 2048,
      reason: 'grow',
    });
  });
});

describe('cleanup', () => {
  const leftover = (name: string, eligible: boolean) => ({
    name,
    type: 'hash:ip',
    entries: 2,
    references: eligible ? 0 : 1,
    eligible,
    holders: [],
    form: 'own' as const,
    ignored: false,
  });
  const items = [leftover('sk-v4-t.old', true), leftover('sk-v4-t.used', false)];

  it('refuses without names, digest or count, and says the count of now', async () => {
    const socket = await start({ handlers: { 'leftovers.list': () => ({ items, digest, at }) } });
    const result = await runCli(['cleanup'], { socket });
    expect(result.exitCode).toBe(3);
    expect(result.stderr).toContain('--confirm 1');
    expect(agent?.asked.map(({ verb }) => verb)).toEqual(['leftovers.list']);
  });

  it('asks for the typed count on a terminal', async () => {
    const handlers = { 'leftovers.list': () => ({ items, digest, at }), 'leftovers.cleanup': () => sampleCleanup() };
    const socket = await start({ handlers });
    expect((await runCli(['cleanup'], { socket, isTTY: true, answer: '2' })).exitCode).toBe(3);
    expect((await runCli(['cleanup'], { socket, isTTY: true, answer: '1' })).exitCode).toBe(0);
    expect(agent?.asked.at(-1)).toMatchObject({ verb: 'leftovers.cleanup', input: { confirm: 1, dryRun: false } });
  });

  it('prints what was removed and kept, and exits 1 when a named set was kept', async () => {
    const kept = [{ name: 'sk-v4-t.used', reason: 'a rule uses it', holders: [] }];
    const socket = await start({ handlers: { 'leftovers.cleanup': () => sampleCleanup({ kept }) } });
    const named = ['cleanup', '--name', 'sk-v4-t.old', '--name', 'sk-v4-t.used'];
    const result = await runCli([...named, '--json'], { socket });
    expect(result.exitCode).toBe(1);
    expect(CleanupResult.parse(result.json()).kept).toEqual(kept);
    expect(agent?.asked[0]?.input).toMatchObject({ names: ['sk-v4-t.old', 'sk-v4-t.used'] });
    expect((await runCli(['cleanup', '--confirm', '1'], { socket })).exitCode).toBe(0);
  });

  it('changes nothing with --dry-run', async () => {
    const socket = await start({ handlers: { 'leftovers.cleanup': () => sampleCleanup({ removed: [] }) } });
    const result = await runCli(['cleanup', '--dry-run'], { socket });
    expect(result.stdout).toBe('destroy sk-v4-t.old\n');
    expect(result.stderr).toContain(digest);
    expect(agent?.asked[0]?.input).toMatchObject({ dryRun: true });
  });
});

describe('holds, overrides and pins', () => {
  const hold = { id: '1', group: null, by: 'root', reason: 'r', at, until: at };

  it('turns a TIME into seconds', async () => {
    const socket = await start({ handlers: { 'holds.add': () => [hold] } });
    const result = await runCli(['hold', '--all', '--for', '2h', '--reason', 'maintenance', '--json'], { socket });
    expect(result.json()).toEqual([hold]);
    expect(agent?.asked[0]?.input).toMatchObject({ all: true, forSeconds: 7200, reason: 'maintenance' });
  });

  it.each([['2 hours'], ['0s'], ['400d'], ['h'], ['-1h']])('refuses %s as a TIME', async (time) => {
    const socket = await start({});
    expect((await runCli(['hold', '--all', `--for=${time}`, '--reason', 'r'], { socket })).exitCode).toBe(2);
  });

  it('needs a reason', async () => {
    const socket = await start({});
    const result = await runCli(['hold', '--all', '--for', '1h'], { socket });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('--reason');
  });

  it('prints the overrides that stand after a change', async () => {
    const override = {
      id: '1',
      kind: 'exclude' as const,
      group: 'tag:web',
      address: '10.0.0.1',
      by: 'root',
      reason: 'r',
      at,
      until: at,
    };
    const socket = await start({ handlers: { 'overrides.add': () => override, 'overrides.list': () => [override] } });
    const words = ['override', 'exclude', 'tag:web', '10.0.0.1', '--for', '1h', '--reason', 'r', '--json'];
    expect((await runCli(words, { socket })).json()).toEqual([override]);
    expect(agent?.asked[0]?.input).toMatchObject({ kind: 'exclude', address: '10.0.0.1', forSeconds: 3600 });
  });

  it('exits 2 for what the agent finds bad', async () => {
    const socket = await start({
      handlers: {
        'overrides.add': () => {
          throw new ApiError('bad-input', 'tag:web holds addresses, not blocks');
        },
      },
    });
    const words = ['override', 'add', 'tag:web', '10.0.0.0/8', '--for', '1h', '--reason', 'r'];
    expect((await runCli(words, { socket })).exitCode).toBe(2);
  });

  it('prints sources after accepting one', async () => {
    const source = {
      name: 'dir',
      kind: 'directory' as const,
      state: 'current' as const,
      objects: 1,
      problems: [],
      lastGoodAt: at,
    };
    const socket = await start({ handlers: { 'sources.accept': () => source, 'sources.list': () => [source] } });
    expect((await runCli(['source', 'accept', 'dir', '--reason', 'r', '--json'], { socket })).json()).toEqual([source]);
  });
});

describe('who asks', () => {
  it('tells the login user as a claim', async () => {
    const socket = await start({ handlers: { 'held.list': () => [] } });
    await runCli(['held'], { socket, loginUser: 'maria' });
    expect(agent?.headers[0]?.['x-setkeeper-claimed']).toBe('maria');
  });

  it('exits 5 when the role is too weak, naming verb and role', async () => {
    const socket = await start({ caller: { subject: 'u', name: 'vera', role: 'viewer', via: 'gateway' } });
    const result = await runCli(['apply'], { socket });
    expect(result.exitCode).toBe(5);
    expect(result.stderr).toContain('plan.apply needs the role operator');
  });

  it('exits 5 without an identity', async () => {
    const socket = await start({ caller: null });
    expect((await runCli(['status'], { socket })).exitCode).toBe(5);
  });

  it('exits 4 when nobody answers', async () => {
    const socket = await start({});
    await agent?.close();
    agent = undefined;
    const result = await runCli(['sets', '--json'], { socket });
    expect(result.exitCode).toBe(4);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain(socket);
  });
});

describe('pages', () => {
  it('are followed to the end', async () => {
    const all = Array.from({ length: 25 }, (_, n) => sampleRun({ id: String(n) }));
    const socket = await start({
      handlers: {
        'runs.list': ({ cursor, limit }) => {
          const from = Number(cursor ?? 0);
          const items = all.slice(from, from + Math.min(limit, 10));
          return { ...pageWith(items), total: 25, ...(from + 10 < 25 ? { nextCursor: String(from + 10) } : {}) };
        },
      },
    });
    expect((await runCli(['runs', '--json'], { socket })).json()).toHaveLength(25);
    expect((await runCli(['runs', '--json', '--limit', '12'], { socket })).json()).toHaveLength(12);
    const table = (await runCli(['runs'], { socket })).stdout;
    expect(table.trim().split('\n')).toHaveLength(26);
  });
});

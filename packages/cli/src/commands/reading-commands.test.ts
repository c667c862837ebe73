import { ApiError, ManagedSet, ManagedSetDetail, MemberRow, Plan, RunDetail, Status } from '@setkeeper/api';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FakeAgent, type FakeAgentOptions, startFakeAgent } from '../testing/fake-agent.ts';
import { runCli } from '../testing/run-cli.ts';
import {
  at,
  digest,
  pageWith,
  sampleHeld,
  sampleMember,
  sampleOutcome,
  samplePlan,
  sampleProblem,
  sampleRunDetail,
  sampleSet,
  sampleSetDetail,
  sampleStatus,
} from '../testing/samples.ts';

let agent: FakeAgent | undefined;
const start = async (options: FakeAgentOptions): Promise<string> => {
  agent = await startFakeAgent(options);
  return agent.socket;
};
afterEach(async () => {
  await agent?.close();
  agent = undefined;
});

describe('status', () => {
  it('begins with the sentence', async () => {
    const status = sampleStatus({ sentence: 'Held: one change', ok: false, held: 1, problems: [sampleProblem()] });
    const socket = await start({ handlers: { 'status.get': () => status } });
    const plain = await runCli(['status'], { socket });
    expect(plain.exitCode).toBe(0);
    expect(plain.stdout.split('\n')[0]).toBe('Held: one change');
    expect(plain.stdout).toContain('remedy: setkeeper set tag:web');
    expect(Status.parse((await runCli(['--json', 'status'], { socket })).json())).toEqual(status);
  });

  it('colours nothing with NO_COLOR, and off a terminal', async () => {
    const socket = await start({ handlers: { 'status.get': () => sampleStatus() } });
    expect((await runCli(['status'], { socket, isTTY: true })).stdout).toContain('\u001b[');
    expect((await runCli(['status'], { socket, isTTY: true, env: { NO_COLOR: '1' } })).stdout).not.toContain('\u001b');
    expect((await runCli(['status'], { socket })).stdout).not.toContain('\u001b');
  });
});

describe('check', () => {
  const check = async (problems: Status['problems'], ...words: string[]) => {
    const socket = await start({ handlers: { 'status.get': () => sampleStatus({ problems, sentence: 'a | b' }) } });
    const result = await runCli(['check', ...words], { socket });
    await agent?.close();
    agent = undefined;
    return result;
  };

  it('judges by the worst problem', async () => {
    expect(await check([])).toMatchObject({ exitCode: 0 });
    expect(await check([sampleProblem({ severity: 'notice' })])).toMatchObject({ exitCode: 0 });
    expect(await check([sampleProblem()])).toMatchObject({ exitCode: 1 });
    expect(await check([sampleProblem(), sampleProblem({ severity: 'critical' })])).toMatchObject({ exitCode: 2 });
  });

  it('takes other severities for named codes', async () => {
    expect(await check([sampleProblem()], '--critical', 'leak,drift')).toMatchObject({ exitCode: 2 });
    expect(await check([sampleProblem({ severity: 'critical' })], '--warn', 'drift')).toMatchObject({ exitCode: 1 });
    expect(await check([], '--warn', 'nonsense')).toMatchObject({ exitCode: 3 });
  });

  it('prints one line with numbers behind the bar', async () => {
    const { stdout } = await check([sampleProblem()]);
    expect(stdout).toBe(
      'SETKEEPER WARNING - a / b [drift] | sets=2 live=2 dirty=0 drifted=0 failed=0 unknown=0 held=0 leftovers=0 leaks=0\n',
    );
  });

  it('is unknown when nobody answers', async () => {
    const result = await runCli(['check'], { socket: '/nonexistent/agent.sock' });
    expect(result.exitCode).toBe(3);
    expect(result.stdout).toMatch(/^SETKEEPER UNKNOWN - .*\n$/u);
  });
});

describe('wait', () => {
  const settled = { settled: true, failed: [], held: 0, waitingFor: [] };

  it('returns as soon as the agent has settled', async () => {
    let asked = 0;
    const socket = await start({
      handlers: {
        'status.settled': () => ({ ...settled, settled: ++asked > 2 }),
        'status.get': () => sampleStatus(),
      },
      events: async function* (_last, signal) {
        yield { id: 'e-1', at, type: 'run-finished' };
        yield { id: 'e-2', at, type: 'sets-changed' };
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      },
    });
    const result = await runCli(['wait', '--json', '--timeout', '20'], { socket });
    expect(result.exitCode).toBe(0);
    expect(result.json()).toMatchObject({ settled: true, failed: [], held: 0 });
  });

  it.each([
    ['a held change', { held: 1 }, sampleStatus()],
    ['a failed set', { failed: ['tag:web'] }, sampleStatus()],
    ['parked members', {}, sampleStatus({ problems: [sampleProblem({ code: 'members-parked' })] })],
    ['members over capacity', {}, sampleStatus({ problems: [sampleProblem({ code: 'over-capacity' })] })],
  ])('exits 1 for %s', async (_what, change, status) => {
    const socket = await start({
      handlers: { 'status.settled': () => ({ ...settled, ...change }), 'status.get': () => status },
    });
    expect((await runCli(['wait'], { socket })).exitCode).toBe(1);
  });

  it('exits 1 on a time-out, saying what it waited for', async () => {
    const socket = await start({
      handlers: { 'status.settled': () => ({ ...settled, settled: false, waitingFor: ['source etcd'] }) },
    });
    const result = await runCli(['wait', '--timeout', '0.2'], { socket });
    expect(result.exitCode).toBe(1);
    expect(result.stdout).toContain('source etcd');
  });

  it('exits 4 when nobody answers', async () => {
    expect((await runCli(['wait', '--timeout', '0.3'], { socket: '/nonexistent/agent.sock' })).exitCode).toBe(4);
  });
});

describe('sets and set', () => {
  it('prints every set in the shape of the API', async () => {
    const sets = [sampleSet(), sampleSet({ family: 'inet6', name: 'sk-v6-t.web' })];
    const socket = await start({ handlers: { 'sets.list': () => pageWith(sets) } });
    expect(
      z
        .array(ManagedSet)
        .parse((await runCli(['sets', '--json', '--state', 'live', '--kind', 'tag'], { socket })).json()),
    ).toEqual(sets);
    expect(agent?.asked[0]?.input).toMatchObject({ state: 'live', kind: 'tag' });
  });

  it('fetches the members that the API cut off', async () => {
    const set = sampleSetDetail({ pending: { adds: 3, dels: 0 }, pendingAdds: ['10.0.0.1'] });
    const rows = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((member) => sampleMember({ member, state: 'pending-add' }));
    const socket = await start({ handlers: { 'sets.get': () => [set], 'sets.members': () => pageWith(rows) } });
    const sets = z.array(ManagedSetDetail).parse((await runCli(['set', 'tag:web', '--json'], { socket })).json());
    expect(sets[0]?.pendingAdds).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
  });

  it('names an unknown group on stderr and exits 2', async () => {
    const socket = await start({
      handlers: {
        'sets.get': ({ group }) => {
          throw new ApiError('not-found', `there is no group ${group}`, { subject: group });
        },
      },
    });
    const result = await runCli(['set', 'tag:nope'], { socket });
    expect(result.exitCode).toBe(2);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain('there is no group tag:nope');
  });
});

describe('members', () => {
  const rows = [sampleMember(), sampleMember({ member: '2001:db8::1', family: 'inet6', state: 'pending-add' })];

  it('prints one a line, and says what is not in the kernel', async () => {
    const socket = await start({ handlers: { 'sets.members': () => pageWith(rows) } });
    const result = await runCli(['members', 'tag:web'], { socket });
    expect(result.stdout).toBe('10.0.0.1\n2001:db8::1\n');
    expect(result.stderr).toContain('1 of these are pending-add');
  });

  it('gives owners in JSON', async () => {
    const socket = await start({ handlers: { 'sets.members': () => pageWith(rows) } });
    const json = (await runCli(['members', 'tag:web', '--json', '--family', 'inet'], { socket })).json();
    expect(z.array(MemberRow).parse(json)).toEqual(rows);
    expect(agent?.asked[0]?.input).toMatchObject({ group: 'tag:web', family: 'inet', owners: true });
  });

  it('gives an empty array for a group without members', async () => {
    const socket = await start({ handlers: { 'sets.members': () => pageWith([]) } });
    expect((await runCli(['members', 'tag:web', '--json'], { socket })).json()).toEqual([]);
  });

  it('refuses an unknown family', async () => {
    const socket = await start({});
    expect((await runCli(['members', 'tag:web', '--family', 'ipv4'], { socket })).exitCode).toBe(2);
  });
});

describe('plan', () => {
  it('prints the exact script, and talks beside it', async () => {
    const socket = await start({ handlers: { 'plan.get': () => samplePlan() } });
    const result = await runCli(['plan', 'tag:web'], { socket });
    expect(result.stdout).toBe('add sk-v4-t.web 10.0.0.1\n');
    expect(result.stderr).toContain(digest);
    expect(Plan.parse((await runCli(['plan', '--json'], { socket })).json())).toEqual(samplePlan());
  });

  it('puts a long script together from its pages', async () => {
    const line = (n: number) => ({
      line: n,
      text: `add s 10.0.0.${n}`,
      meaning: '',
      set: 's',
      group: null,
      family: null,
    });
    const socket = await start({
      handlers: {
        'plan.get': () => samplePlan({ lines: 3, scriptTruncated: true }),
        'plan.lines': ({ cursor }) =>
          cursor === undefined ? { ...pageWith([line(1), line(2)]), nextCursor: '2' } : pageWith([line(3)]),
      },
    });
    const json = (await runCli(['plan', '--json'], { socket })).json();
    expect(json).toMatchObject({ script: 'add s 10.0.0.1\nadd s 10.0.0.2\nadd s 10.0.0.3\n', scriptTruncated: false });
  });

  it('sends a selection that is too long for a request line in a body', async () => {
    const groups = Array.from({ length: 2000 }, (_, n) => `tag:group-${n}`);
    const socket = await start({ handlers: { 'plan.get': () => samplePlan() } });
    expect((await runCli(['plan', ...groups], { socket })).exitCode).toBe(0);
    expect(agent?.asked[0]?.input).toMatchObject({ groups });
  });
});

describe('run', () => {
  const bad = sampleOutcome({
    line: 2,
    outcome: 'rejected',
    code: 'full',
    message: 'Hash is full, cannot add more elements',
  });

  it('adds script and outcomes of every line in JSON', async () => {
    const outcomes = [sampleOutcome(), bad];
    const socket = await start({
      handlers: { 'runs.get': () => sampleRunDetail(), 'runs.outcomes': () => pageWith(outcomes) },
    });
    const json = (await runCli(['run', '7', '--json'], { socket })).json();
    expect(RunDetail.parse(json)).toEqual(sampleRunDetail());
    expect(json).toMatchObject({ outcomes });
    expect(agent?.asked[1]?.input).toMatchObject({ only: 'all' });
  });

  it("shows what failed lines meant, the kernel's words, and once a set what was found there", async () => {
    const found = { set: 'sk-v4-t.web', readBack: '9 elements are there: 9 of the 11 wanted.' };
    const outcomes = [sampleOutcome({ ...bad, ...found }), sampleOutcome({ ...bad, ...found, line: 3 })];
    const socket = await start({
      handlers: { 'runs.get': () => sampleRunDetail(), 'runs.outcomes': () => pageWith(outcomes) },
    });
    const { stdout } = await runCli(['run', '7'], { socket });
    expect(stdout).toContain('Hash is full, cannot add more elements');
    expect(stdout).toContain(bad.meaning);
    expect(stdout.split('read back sk-v4-t.web: 9 elements are there: 9 of the 11 wanted.')).toHaveLength(2);
    expect(agent?.asked[1]?.input).toMatchObject({ only: 'bad' });
  });
});

describe('hostile text', () => {
  const hostile = 'x\u001b[31mred\u202etxt\nline\u0085';

  it('cannot act on a terminal', async () => {
    const endpoint = {
      id: hostile,
      profiles: [hostile],
      ipv4: [],
      ipv6: [],
      active: true,
      ports: {},
      groups: [],
      source: 'directory',
      since: null,
      conflicts: [],
      lastGood: false,
    };
    const socket = await start({ handlers: { 'model.endpoints': () => pageWith([endpoint]) } });
    const plain = (await runCli(['endpoints'], { socket, isTTY: true, env: { NO_COLOR: '1' } })).stdout;
    expect(plain).toContain('x\\x1b[31mred\\u{202e}txt\\nline\\x85');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is printed is what is tested
    expect(plain).not.toMatch(/[\u001b\u202e\u0085]/u);
    const json = await runCli(['endpoints', '--json'], { socket });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is printed is what is tested
    expect(json.stdout).not.toMatch(/[\u001b\u202e\u0085]/u);
    expect(json.json()).toEqual([endpoint]);
  });

  it('cannot act through an error message either', async () => {
    const socket = await start({
      handlers: {
        'status.get': () => {
          throw new ApiError('internal', hostile);
        },
      },
    });
    const result = await runCli(['status'], { socket });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('\\x1b[31m');
  });
});

describe('watch', () => {
  it('prints one JSON value a line and resumes after the last event', async () => {
    const controller = new AbortController();
    const asked: (string | undefined)[] = [];
    const socket = await start({
      events: async function* (last, signal) {
        asked.push(last);
        if (last === undefined) {
          yield { id: 'e-1', at, type: 'run-started', run: '7' };
          return;
        }
        yield { id: 'e-2', at, type: 'run-finished', run: '7' };
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
      },
    });
    const result = await runCli(['watch', '--json'], {
      socket,
      signal: controller.signal,
      onOutput: (text) => {
        if (text.includes('e-2')) controller.abort();
      },
    });
    expect(
      result.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { id: 'e-1', at, type: 'run-started', run: '7' },
      { id: 'e-2', at, type: 'run-finished', run: '7' },
    ]);
    expect(asked).toEqual([undefined, 'e-1']);
  });
});

describe('doctor', () => {
  it('names an agent that does not answer as its first finding', async () => {
    const result = await runCli(['doctor', '--json'], { socket: '/nonexistent/agent.sock' });
    expect(result.exitCode).toBe(4);
    expect(result.json()).toMatchObject([{ check: 'agent reachable', ok: false }]);
  });
});

describe('held', () => {
  it('shows each change as a block: why, the sets that lose most first, what to do', async () => {
    const sets = Array.from({ length: 12 }, (_, i) => ({
      group: `tag:t${i}`,
      family: 'inet' as const,
      removes: 10 + i,
      adds: i === 11 ? 2 : 0,
      of: 100,
      sample: [],
    }));
    const files = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml', 'e.yaml'];
    const change = sampleHeld({ sets, removes: 186, files, why: Array.from({ length: 11 }, (_, i) => `reason ${i}`) });
    const socket = await start({
      handlers: { 'held.list': () => [change, sampleHeld({ id: 'h2', state: 'rejected' })] },
    });
    const plain = await runCli(['held'], { socket });
    const lines = plain.stdout.split('\n');
    expect(lines[0]).toBe('h1 is held: 186 members would leave');
    expect(plain.stdout).toContain('directory: 40 objects in a.yaml, b.yaml, c.yaml and 2 more files\n');
    expect(plain.stdout).toContain(`${digest}\n`);
    expect(lines.slice(5, 18)).toEqual([
      '    reason 0',
      '    reason 1',
      '    reason 2',
      '    reason 3',
      '    reason 4',
      '    reason 5',
      '    reason 6',
      '    reason 7',
      '    reason 8',
      '    reason 9',
      '    and 1 more',
      '  sets',
      '    tag:t11 inet: -21 of 100, +2',
    ]);
    expect(plain.stdout).toContain('h2 is rejected: 90 members stay until the source changes\n');
    expect(plain.stderr).toContain('setkeeper release h1');
    expect((await runCli(['held', '--json'], { socket })).json()).toHaveLength(2);
  });

  it('says so where nothing is held', async () => {
    const socket = await start({ handlers: { 'held.list': () => [] } });
    expect(await runCli(['held'], { socket })).toMatchObject({ stdout: '', stderr: 'nothing is held\n' });
    expect((await runCli(['held', '--json'], { socket })).json()).toEqual([]);
  });
});

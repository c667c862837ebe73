import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { desiredHeader, type Family, type ManagedType, type Member, type SetName } from '@setkeeper/ipset';
import { whyNoNamespace } from '@setkeeper/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Section } from '../plan/plan.ts';
import { makeExecutor, makeRealKernel, planOf, type RealKernel, startLauncher } from './testing/real-kernel.ts';

const reason = await whyNoNamespace();
const SWAPS = 1000;
const DESTROYS = 100;

describe.skipIf(reason !== null)(
  `the executor on the real kernel${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    let kernel: RealKernel;
    const execute = (...sections: Section[]) => kernel.executor.execute(planOf(sections), {});
    const members = async (set: string) =>
      (await kernel.namespace.ipset(['save', set]))
        .split('\n')
        .flatMap((line) => (line.startsWith('add ') ? [line.split(' ')[2]] : []))
        .sort();
    beforeEach(async () => {
      kernel = await makeRealKernel();
    });
    afterEach(() => kernel.remove());

    it('loses no good line to a bad one: create, add A, add B, a bad line, add C', async () => {
      for (const [index, bad] of [
        '2001:db8::1',
        '0.0.0.0',
        '192.0.2.9 nomatch',
        '192.0.2.1,tcp:80',
        'localhost',
        'x y',
      ].entries()) {
        const set = `sk-v4-t.${index}`;
        const { counts } = await execute(create(set, ['192.0.2.1', '192.0.2.2', bad, '192.0.2.3']));
        expect(counts, bad).toEqual({ applied: 4, rejected: 1, skipped: 0, notRun: 0 });
        expect(await members(set), bad).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.3']);
      }
    });

    it('destroys the free one of seven sets, and leaves six that are in use as they were', async () => {
      const used = Array.from({ length: 6 }, (_, i) => `sk-v4-t.used${i}`);
      await execute(
        ...[...used, 'sk-v4-t.free'].map((set) => create(set, ['192.0.2.1', '192.0.2.2'])),
        create('sk-l.holder', used, { type: 'list:set' }),
      );
      const execution = await execute(...used.map(destroy), destroy('sk-v4-t.free'));
      expect(execution.exceptions.map(({ code }) => code)).toEqual(used.map(() => 'set-in-use'));
      for (const set of used) expect(await members(set)).toEqual(['192.0.2.1', '192.0.2.2']);
      expect(await kernel.namespace.exec('ipset', ['list', '-n', 'sk-v4-t.free'])).toMatchObject({ exitCode: 1 });
    });

    it(`swaps ${SWAPS} times while somebody saves those sets without a pause, and none fails for good`, async () => {
      const sets = Array.from({ length: 10 }, (_, i) => `sk-v4-t.${i}`);
      const filling = Array.from({ length: 3000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`);
      await execute(...sets.map((set) => create(set, ['192.0.2.1'])), create('sk-v4-t.large', filling));
      const reader = spawn('ip', ['netns', 'exec', kernel.namespace.name, 'sh', '-c', READER]);
      let saves = 0;
      reader.stdout.on('data', (chunk: Buffer) => {
        saves += chunk.length;
      });
      let attempts = 0;
      try {
        for (let round = 0; round < SWAPS / sets.length; round++) {
          const large = round % 5 === 0 ? [rewrite('sk-v4-t.large', filling, round)] : [];
          const execution = await execute(...sets.map((set) => rewrite(set, ['192.0.2.1'], round)), ...large);
          expect(execution.environment).toBeUndefined();
          expect(execution.exceptions).toEqual([]);
          attempts += execution.attempts;
        }
      } finally {
        reader.kill('SIGKILL');
        await once(reader, 'close');
      }
      // It was a fight: dumps ran all the time, and swaps had to be tried again.
      expect(saves).toBeGreaterThan(10);
      expect(attempts).toBeGreaterThan(SWAPS / sets.length);
      for (const set of sets) expect(await members(set)).toEqual(['192.0.2.1']);
      expect(await members('sk-v4-t.large')).toHaveLength(3000);
    }, 120_000);

    it(`goes on while somebody destroys its acknowledgement set ${DESTROYS} times`, async () => {
      const enemy = spawn('ip', ['netns', 'exec', kernel.namespace.name, 'sh', '-c', ENEMY]);
      let destroyed = 0;
      enemy.stdout.on('data', (chunk: Buffer) => {
        destroyed += chunk.length;
      });
      try {
        for (let round = 0; destroyed < DESTROYS; round++) {
          const adds = Array.from({ length: 5000 }, (_, i) => `198.18.${i >> 8}.${i & 255}`);
          const { exceptions, environment } = await execute(rewrite('sk-v4-t.load', adds, round, { createMain: true }));
          expect({ exceptions, environment }).toEqual({ exceptions: [], environment: undefined });
          expect(await members('sk-v4-t.load')).toHaveLength(5000);
        }
      } finally {
        enemy.kill('SIGKILL');
        await once(enemy, 'close');
      }
    }, 120_000);

    it('ends a run whose ipset is stopped, within its time, and the next run goes on', async () => {
      const hasty = await makeExecutor(kernel.launcher, { executor: { timeoutSeconds: 1 } });
      try {
        expect((await hasty.executor.execute(planOf([create('sk-v4-t.a', ['192.0.2.1'])]), {})).exceptions).toEqual([]);
        await kernel.namespace.exec('sh', [
          '-c',
          `for pid in $(ip netns pids ${kernel.namespace.name}); do grep -qx ipset /proc/$pid/comm && kill -STOP $pid; done; true`,
        ]);
        const execution = await hasty.executor.execute(planOf([delta('sk-v4-t.a', ['192.0.2.2'], [])]), {});
        expect(execution.environment).toMatchObject({ code: 'timed-out' });
        expect(execution.unsure).toEqual(['sk-v4-t.a']);
        await kernel.namespace.exec('sh', [
          '-c',
          `for pid in $(ip netns pids ${kernel.namespace.name}); do grep -qx ipset /proc/$pid/comm && kill -CONT $pid; done; true`,
        ]);
        expect((await hasty.executor.execute(planOf([delta('sk-v4-t.a', ['192.0.2.2'], [])]), {})).exceptions).toEqual(
          [],
        );
      } finally {
        await hasty.executor.close();
      }
    }, 60_000);

    it('works without stdbuf, one process a batch', async () => {
      const plain = await makeExecutor(kernel.launcher, { executor: { stdbufPath: null } });
      const execution = await plain.executor.execute(
        planOf([rewrite('sk-v4-t.a', ['192.0.2.1', '0.0.0.0', '192.0.2.2'], 0, { createMain: true })]),
        {},
      );
      expect(execution.exceptions).toMatchObject([{ line: 3, outcome: 'rejected', code: 'null-element' }]);
      expect(await members('sk-v4-t.a')).toEqual(['192.0.2.1', '192.0.2.2']);
      await plain.executor.close();
    });

    it('leaves nothing of its own at close', async () => {
      await execute(create('sk-v4-t.a', ['192.0.2.1']), rewrite('sk-v4-t.b', ['192.0.2.1'], 0, { createMain: true }));
      await kernel.executor.close();
      expect((await kernel.namespace.ipset(['list', '-n'])).trim().split('\n').sort()).toEqual([
        'sk-v4-t.a',
        'sk-v4-t.b',
      ]);
    });

    it('dies with its agent: no child is left, the lock is free, and main is whole', async () => {
      await kernel.executor.close();
      await kernel.launcher.close();
      for (let round = 0; round < 3; round++) {
        const agent = spawn(process.execPath, [DOOMED_AGENT, kernel.namespace.name, String(round)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        await once(agent.stdout, 'data');
        agent.kill('SIGKILL');
        await once(agent, 'close');
        const launcher = await startLauncher(kernel.namespace);
        const pids = await kernel.namespace.pids();
        expect(pids).toEqual([launcher.pid]);
        await launcher.close();
        // A rewrite of 100,000 members was under way: main has the old member or all the new ones, never a part.
        const seen = (await kernel.namespace.ipset(['list', '-t', 'sk-v4-t.main'])).match(
          /Number of entries: (\d+)/,
        )?.[1];
        expect(['1', '100000']).toContain(seen);
      }
    }, 60_000);
  },
);

const DOOMED_AGENT = fileURLToPath(new URL('./testing/doomed-agent.ts', import.meta.url));

/** Saves for ever: the large set with a pause in the middle of the dump, then all sets; prints a dot for each round. */
const READER = `while :; do
  ipset save sk-v4-t.large | (head -c 1024 >/dev/null; sleep 0.01; cat >/dev/null)
  ipset save >/dev/null
  printf .
done`;

/** Destroys every acknowledgement set it sees, and prints a dot for each. */
const ENEMY =
  'while :; do for s in $(ipset list -n | grep ^sk-ack-); do ipset destroy $s 2>/dev/null && printf .; done; done';

interface SectionOptions {
  readonly type?: ManagedType;
  readonly family?: Family;
  readonly createMain?: boolean;
}

function section(
  set: string,
  how: Section['how'],
  adds: readonly string[],
  dels: readonly string[],
  options: SectionOptions,
  temp = '',
): Section {
  const { type = 'hash:ip', family = 'inet', createMain = false } = options;
  const name = set as SetName;
  const ownFamily = type === 'list:set' ? null : family;
  return {
    group: null,
    family: ownFamily,
    set: name,
    how,
    header: how === 'destroy' ? null : desiredHeader({ name, type, family: ownFamily, maxelem: 200_000, members: 0 }),
    temp: how === 'rewrite' ? (temp as SetName) : null,
    createMain,
    dels: dels as Member[],
    adds: adds as Member[],
    before: 0,
    after: adds.length,
  };
}

const create = (set: string, adds: readonly string[], options: SectionOptions = {}) =>
  section(set, 'create', adds, [], options);
const delta = (set: string, adds: readonly string[], dels: readonly string[]) => section(set, 'delta', adds, dels, {});
const destroy = (set: string) => section(set, 'destroy', [], [], {});
const rewrite = (set: string, adds: readonly string[], round: number, options: SectionOptions = {}) =>
  section(set, 'rewrite', adds, [], options, `sk-tmp-${set.slice(-6)}-${round}`);

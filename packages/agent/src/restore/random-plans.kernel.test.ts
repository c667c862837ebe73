import { setTimeout as delay } from 'node:timers/promises';
import { parseList } from '@setkeeper/ipset';
import {
  type LineRunner,
  lineOracle,
  makeNetworkNamespace,
  randomPlan,
  seededRandom,
  whyNoNamespace,
} from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import type { Launcher } from '../launcher/launcher-client.ts';
import { nodeClock } from '../node-clock.ts';
import type { Exception } from './execution.ts';
import { type LineShell, openLineShell } from './testing/line-shell.ts';
import { comparable, makeExecutor, makeRealKernel, planOf, startLauncher } from './testing/real-kernel.ts';

const reason = await whyNoNamespace();
/** 300 in every run; 10,000 on demand. */
const PLANS = Number(process.env.SETKEEPER_PLANS ?? 300);
const SEED = Number(process.env.SETKEEPER_SEED ?? Math.floor(nodeClock.now() / 1000) % 1_000_000);
const BAD_KINDS_MIN = 16;
const FOREIGN = ['create foreign hash:ip family inet hashsize 64 maxelem 65536', 'add foreign 192.0.2.1'];

describe.skipIf(reason !== null)(
  `random plans on the real kernel${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    it(
      `end as one process a line says, with kills and foreign retypes in between (${PLANS} plans, seed ${SEED})`,
      async () => {
        const random = seededRandom(SEED);
        const [tested, oracle] = await Promise.all([
          makeRealKernel({ through: (launcher) => killing(launcher, random) }),
          makeRealKernel(),
        ]);
        const [beside, alone] = await Promise.all([openLineShell(tested.launcher), openLineShell(oracle.launcher)]);
        try {
          for (const line of FOREIGN) for (const shell of [beside, alone]) await shell.run(line);
          const badKinds = new Set<string>();
          for (let i = 0; i < PLANS; i++) {
            const plan = randomPlan(SEED * 100_000 + i, { sectionsMax: 5, membersMax: 9 });
            for (const kind of plan.badKinds) badKinds.add(kind);
            for (const line of plan.foreign.flatMap(({ lines }) => lines)) {
              await Promise.all([beside.run(line), alone.run(line)]);
            }
            const [execution, expected] = await Promise.all([
              tested.executor.execute(planOf(plan.sections), {}),
              lineOracle(plan.sections, lineRunner(alone)),
            ]);
            const hint = `plan seed ${plan.seed}`;
            expect(execution.environment, hint).toBeUndefined();
            expect(execution.exceptions.map(outcomeOf), hint).toEqual(expected);
            const [seen, wanted] = await Promise.all([beside.show('save'), alone.show('save')]);
            expect(comparable(seen ?? ''), hint).toEqual(comparable(wanted ?? ''));
            expect(execution.leftTemporary, hint).toEqual([]);
          }
          const all = ((await beside.show('save')) ?? '').split('\n');
          expect(all.filter((line) => / sk-tmp-/.test(line))).toEqual([]);
          expect(comparable(all.filter((line) => / foreign /.test(line)).join('\n'))).toEqual(
            comparable(FOREIGN.join('\n')),
          );
          if (PLANS >= 300) expect(badKinds.size, [...badKinds].join(' ')).toBeGreaterThanOrEqual(BAD_KINDS_MIN);
        } finally {
          beside.close();
          alone.close();
          await Promise.all([tested.remove(), oracle.remove()]);
        }
      },
      120_000 + PLANS * 1000,
    );

    it('leave no cut line behind when the launcher is killed', async () => {
      const random = seededRandom(SEED);
      const namespace = await makeNetworkNamespace();
      const allowed = new Set<string>();
      try {
        for (let i = 0; i < Math.max(6, PLANS / 50); i++) {
          const launcher = await startLauncher(namespace);
          const { executor } = await makeExecutor(launcher);
          const plan = randomPlan(SEED * 100_000 + i, { membersMax: 3000, sectionsMax: 4 });
          for (const member of plan.sections.flatMap(({ adds }) => adds)) allowed.add(member.replace(' nomatch', ''));
          const running = executor.execute(planOf(plan.sections), {});
          await delay(random() * 25);
          process.kill(launcher.pid, 'SIGKILL');
          const execution = await running;
          while ((await namespace.pids()).length > 0) await delay(5);
          const members = membersIn(await namespace.ipset(['save']));
          expect(
            members.filter((member) => !allowed.has(member)),
            `plan seed ${plan.seed}`,
          ).toEqual([]);
          expect(execution.environment === undefined ? 0 : 1).toBe(execution.counts.notRun > 0 ? 1 : 0);
        }
      } finally {
        await namespace.remove();
      }
    }, 120_000);
  },
);

/** Kills children at random: before, or right after, a write. */
function killing(launcher: Launcher, random: () => number): Launcher {
  return {
    ...launcher,
    spawn: (request) => {
      const child = launcher.spawn(request);
      return {
        pid: child.pid,
        exit: child.exit,
        end: () => child.end(),
        kill: (signal) => child.kill(signal),
        write: async (chunk) => {
          const dice = random();
          if (dice < 0.02) child.kill('SIGKILL');
          await child.write(chunk);
          if (dice > 0.98) child.kill('SIGKILL');
        },
      };
    },
  };
}

const lineRunner = (shell: LineShell): LineRunner => ({
  run: (line) => shell.run(line),
  async family(set) {
    const text = await shell.show(`list -t ${set}`);
    return text === null ? undefined : parseList(Buffer.from(text)).sets[0]?.header.family;
  },
});

const outcomeOf = ({ line, outcome, because }: Exception) => ({
  line,
  outcome,
  ...(because === undefined ? {} : { because }),
});

const membersIn = (save: string): readonly string[] =>
  save.split('\n').flatMap((line) => (line.startsWith('add ') ? [line.split(' ')[2] ?? ''] : []));

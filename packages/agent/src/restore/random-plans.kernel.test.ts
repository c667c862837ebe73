import { setTimeout as delay } from 'node:timers/promises';
import { makeNetworkNamespace, randomPlan, seededRandom, whyNoNamespace } from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { nodeClock } from '../node-clock.ts';
import { actBeside, expectSame, killAgent, killChildren, killExecutor, killLauncher } from './testing/random-kills.ts';
import { makeRandomWorld } from './testing/random-world.ts';
import { comparable, makeExecutor, planOf, startLauncher } from './testing/real-kernel.ts';

const reason = await whyNoNamespace();
/** 300 in every run; 10,000 on demand. */
const PLANS = Number(process.env.SETKEEPER_PLANS ?? 300);
const SEED = Number(process.env.SETKEEPER_SEED ?? Math.floor(nodeClock.now() / 1000) % 1_000_000);
const BAD_KINDS_MIN = 16;
const FOREIGN = ['create foreign hash:ip family inet hashsize 64 maxelem 65536', 'add foreign 192.0.2.1'];

/** What is killed in a plan: children now and then, the launcher, or the agent: its executor alone, or its whole program. */
type Fate = 'children' | 'launcher' | 'executor' | 'agent';

function fateOf(random: () => number): Fate {
  const dice = random();
  return dice < 0.1 ? 'launcher' : dice < 0.14 ? 'executor' : dice < 0.16 ? 'agent' : 'children';
}

describe.skipIf(reason !== null)(
  `random plans on the real kernel${reason === null ? '' : ` (skipped: ${reason})`}`,
  () => {
    it(
      `end as one process a line says, with kills of child, launcher and agent and foreign retypes (${PLANS} plans, seed ${SEED})`,
      async () => {
        const random = seededRandom(SEED);
        const world = await makeRandomWorld();
        let writer = await world.openWriter();
        const kills: Record<Fate, number> = { children: 0, launcher: 0, executor: 0, agent: 0 };
        const badKinds = new Set<string>();
        try {
          for (const line of FOREIGN) for (const shell of [world.beside, world.alone]) await shell.run(line);
          for (let i = 0; i < PLANS; i++) {
            const fate = fateOf(random);
            const size = { sectionsMax: 5, membersMax: fate === 'children' ? 9 : 40 };
            const plan = randomPlan(SEED * 100_000 + i, size);
            for (const kind of plan.badKinds) badKinds.add(kind);
            await actBeside(world, plan);
            try {
              switch (fate) {
                case 'children':
                  if (await killChildren(world, writer, plan, random)) kills.children++;
                  break;
                case 'launcher':
                  if (await killLauncher(world, writer, plan, random)) kills.launcher++;
                  break;
                case 'executor': {
                  await writer.close();
                  const after = await killExecutor(world, plan, size, random);
                  writer = after.writer;
                  if (after.isInTime) kills.executor++;
                  break;
                }
                case 'agent':
                  await writer.close();
                  await killAgent(world, plan, random);
                  writer = await world.openWriter();
                  kills.agent++;
              }
              await expectSame(world);
            } catch (error) {
              throw new Error(`plan ${i} of seed ${SEED}, killed: ${fate}; ${String(error)}`, { cause: error });
            }
          }
          const all = ((await world.beside.show('save')) ?? '').split('\n');
          expect(comparable(all.filter((line) => / foreign /.test(line)).join('\n'))).toEqual(
            comparable(FOREIGN.join('\n')),
          );
          console.log(`${PLANS} random plans of seed ${SEED}; broken off by a kill: ${JSON.stringify(kills)}`);
          if (PLANS < 300) return;
          expect(badKinds.size, [...badKinds].join(' ')).toBeGreaterThanOrEqual(BAD_KINDS_MIN);
          expect(Math.min(...Object.values(kills)), JSON.stringify(kills)).toBeGreaterThan(0);
        } finally {
          await writer.close();
          await world.remove();
        }
      },
      240_000 + PLANS * 1000,
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

const membersIn = (save: string): readonly string[] =>
  save.split('\n').flatMap((line) => (line.startsWith('add ') ? [line.split(' ')[2] ?? ''] : []));

import { setTimeout as delay } from 'node:timers/promises';
import type { AuditEntry } from '@setkeeper/api';
import { ipsetChildrenOf, launcherOf } from '../host/descendants.ts';
import type { FaultHost } from '../host/fault-host.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { requireWholeStore } from '../host/store-check.ts';
import { until } from '../host/until.ts';
import { createModelWriter } from '../load/model-writer.ts';
import { createOperators } from '../load/operators.ts';
import type { Trial } from '../trial.ts';

type Victim = 'agent' | 'launcher' | 'gateway' | 'ipset child';

/** How often each is chosen. An agent is also killed on its way up. */
const CHANCES: readonly (readonly [Victim, number])[] = [
  ['agent', 0.35],
  ['launcher', 0.2],
  ['gateway', 0.15],
  ['ipset child', 0.3],
];
const MOMENT_MS_MAX = 700;
const START_MS_MAX = 900;
const AGAIN_CHANCE = 0.35;
const AUDIT_PAGE = 1_000;

/**
 * SIGKILL at random moments while the model changes and operators act. After each: the kernel is what the model and the
 * acknowledged acts say, and the store that was left is whole. In the end every acknowledged act is in the audit.
 */
export const kills: Trial = {
  name: 'kills',
  title: 'SIGKILL at random moments under load',
  run: async ({ host, model, sizes, random, say }) => {
    const writer = createModelWriter(model, random);
    const operators = createOperators(host, random);
    const killed = new Map<Victim, number>(CHANCES.map(([victim]) => [victim, 0]));
    const total = () => [...killed.values()].reduce((sum, count) => sum + count, 0);
    let stores = 0;

    const killAgent = async (): Promise<void> => {
      for (;;) {
        host.agent.kill('SIGKILL');
        await host.agent.ended;
        killed.set('agent', (killed.get('agent') ?? 0) + 1);
        requireWholeStore(host.stores.agent);
        stores += 1;
        host.launchAgent();
        if (total() >= sizes.kills || random() >= AGAIN_CHANCE) break;
        await delay(random() * START_MS_MAX);
      }
      await host.agentAnswers();
    };
    const strike: Readonly<Record<Victim, () => Promise<void>>> = {
      agent: killAgent,
      launcher: () => killChild(host, 'launcher', (pid) => launcherOf(pid)),
      'ipset child': () => killChild(host, 'ipset child', (pid) => ipsetChildrenOf(pid).at(-1)),
      gateway: async () => {
        host.gateway.kill('SIGKILL');
        await host.gateway.ended;
        requireWholeStore(host.stores.gateway);
        stores += 1;
        await host.startGateway();
      },
    };

    while (total() < sizes.kills) {
      writer.resume();
      operators.resume();
      await delay(random() * MOMENT_MS_MAX);
      const victim = choose(random());
      await strike[victim]();
      if (victim !== 'agent') killed.set(victim, (killed.get(victim) ?? 0) + 1);
      await Promise.all([writer.pause(), operators.pause()]);
      await kernelAgrees(host, { must: model.wanted(), also: [operators.owed], may: operators.possible });
      host.requireWell();
      if (total() % 25 === 0) say(`${total()} kills, ${operators.acknowledged.size} acts acknowledged`);
    }

    await requireAudit(host, operators.acknowledged);
    host.agent.kill('SIGTERM');
    await host.agent.ended;
    requireWholeStore(host.stores.agent);
    host.launchAgent();
    await host.agentAnswers();
    await requireAudit(host, operators.acknowledged);
    await kernelAgrees(host, { must: model.wanted(), also: [operators.owed], may: operators.possible });
    if (operators.acknowledged.size === 0) throw new Error('no act was acknowledged: there was no load');
    return {
      figures: [
        ['kills survived', `${total()} (${[...killed].map(([victim, count]) => `${victim} ${count}`).join(', ')})`],
        ['  kernel as the model and the acts say', `after each of them`],
        ['  stores found whole (PRAGMA integrity_check)', `${stores + 1} of ${stores + 1}`],
        [
          '  acknowledged acts found in the audit, and in force',
          `${operators.acknowledged.size} of ${operators.acknowledged.size} (${operators.asked} asked)`,
        ],
      ],
    };
  },
};

function choose(chance: number): Victim {
  let sum = 0;
  for (const [victim, share] of CHANCES) {
    sum += share;
    if (chance < sum) return victim;
  }
  return 'agent';
}

async function killChild(host: FaultHost, what: Victim, find: (agentPid: number) => number | undefined): Promise<void> {
  await until(`a running ${what}`, () => {
    const pid = find(host.agent.pid);
    if (pid === undefined) return undefined;
    // Throws for one that ended in this very moment: then another is looked for.
    return process.kill(pid, 'SIGKILL');
  });
}

/** Throws unless the chain is whole and every acknowledged act is there with its result. */
async function requireAudit(host: FaultHost, marks: ReadonlySet<string>): Promise<void> {
  const verified = await host.query<{ ok: boolean; detail: string }>('audit.verify');
  if (!verified.ok) throw new Error(`the audit's chain is broken: ${verified.detail}`);
  const found = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await host.query<{ items: readonly AuditEntry[]; nextCursor?: string }>('audit.list', {
      limit: AUDIT_PAGE,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { input, result } of page.items) {
      const mark = /act-\d+-/u.exec(input)?.[0];
      if (mark !== undefined && result !== 'running' && result !== 'interrupted') found.add(mark);
    }
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  const lost = [...marks].filter((mark) => !found.has(mark));
  if (lost.length > 0) throw new Error(`${lost.length} acknowledged acts are not in the audit: ${lost.slice(0, 5)}`);
}

import type { AuditEntry } from '@setkeeper/api';
import { ask } from '../host/ask.ts';
import type { FaultHost } from '../host/fault-host.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { until } from '../host/until.ts';
import type { Trial } from '../trial.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const JUMPS: readonly number[] = [HOUR, -2 * HOUR, 30 * DAY, -30 * DAY, 0];

/** The agent's wall clock jumps both ways, far: sets follow the model, acts are recorded, a gateway of another time is told so. */
export const clockJumps: Trial = {
  name: 'clock',
  title: 'clock jumps',
  host: { movesClock: true },
  run: async ({ host, model }) => {
    const marks: string[] = [];
    for (const [index, jump] of JUMPS.entries()) {
      await host.moveClock(jump);
      model.change(10);
      await kernelAgrees(host, { must: model.wanted() });
      const mark = `jump-${index}`;
      await host.act('sets.reprogram', { groups: ['tag:t0'], reprogram: true, wait: true, reason: mark });
      marks.push(mark);
      const { status, text } = await ask(host.doors.gateway, { path: '/api/trpc/status.get', headers: host.as.viewer });
      if (jump === 0 ? status !== 200 : status === 200 || !text.includes('clock-skew'))
        throw new Error(`the gateway got ${status} ${text.slice(0, 200)} when the clock was off by ${jump / SECOND} s`);
      if (index === 0) await tellsOfTheJump(host);
      host.requireWell();
    }
    const { items } = await host.query<{ items: readonly AuditEntry[] }>('audit.list', { limit: 100 });
    const missing = marks.filter(
      (mark) => !items.some(({ input, result }) => input.includes(mark) && result.startsWith('succeeded')),
    );
    if (missing.length > 0) throw new Error(`acts are not in the audit: ${missing.join(', ')}`);
    const verified = await host.query<{ ok: boolean; detail: string }>('audit.verify');
    if (!verified.ok) throw new Error(`the audit's chain is broken: ${verified.detail}`);
    return {
      figures: [
        ['clock jumps', `${JUMPS.length} of up to 30 days, both ways; kernel, audit and refusals right after each`],
      ],
    };
  },
};

/** It looks at its clock every ten seconds. */
async function tellsOfTheJump({ query }: FaultHost): Promise<void> {
  await until('the word that the clock jumped', async () => {
    const { problems } = await query<{ problems: readonly { code: string }[] }>('status.get');
    return problems.some(({ code }) => code === 'clock-jump') ? true : undefined;
  });
}

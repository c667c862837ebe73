import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AuditEntry } from '@setkeeper/api';
import type { FaultHost } from '../host/fault-host.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { requireWholeStore } from '../host/store-check.ts';
import { until } from '../host/until.ts';
import type { Trial } from '../trial.ts';

const ROUNDS = 2;
const DISK_MIB = 24;

/** The disk of the agent's store fills up and is emptied again, and the agent is killed in between: programming never stops, and what was written stays. */
export const fullDisk: Trial = {
  name: 'disk',
  title: 'disk full',
  host: { storeDiskMiB: DISK_MIB },
  run: async ({ host, model }) => {
    const filler = join(dirname(host.stores.agent), 'filler');
    const marks: string[] = [];
    const act = async (mark: string): Promise<void> => {
      await host.act('sets.reprogram', { groups: ['tag:t1'], reprogram: true, wait: true, reason: mark });
      marks.push(mark);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await act(`before-${round}`);
      fill(filler);
      for (let change = 0; change < 5; change += 1) {
        model.change(20);
        await kernelAgrees(host, { must: model.wanted() });
      }
      await act(`full-${round}`);
      await problem(host, true);
      rmSync(filler);
      await problem(host, false);
      await act(`after-${round}`);
      host.agent.kill('SIGKILL');
      await host.agent.ended;
      requireWholeStore(host.stores.agent);
      host.launchAgent();
      await host.agentAnswers();
      await kernelAgrees(host, { must: model.wanted() });
    }
    const { items } = await host.query<{ items: readonly AuditEntry[] }>('audit.list', { limit: 100 });
    const lost = marks.filter((mark) => !items.some(({ input }) => input.includes(`"${mark}"`)));
    if (lost.length > 0) throw new Error(`acts are not in the audit: ${lost.join(', ')}`);
    host.requireWell();
    return {
      figures: [
        [
          'disk full',
          `${ROUNDS} times, killed after each; sets followed the model, ${marks.length} of ${marks.length} acts in the audit`,
        ],
      ],
    };
  },
};

/** Writes until there is no byte left. */
function fill(path: string): void {
  try {
    for (let size = DISK_MIB; ; size += 1) writeFileSync(path, Buffer.alloc(size * 1024 * 1024));
  } catch {
    // Full.
  }
}

/** Waits until the agent says, or no longer says, that its store takes no more. */
async function problem({ query }: FaultHost, isThere: boolean): Promise<void> {
  await until(`the agent to say that the disk is ${isThere ? 'full' : 'well'}`, async () => {
    const { problems } = await query<{ problems: readonly { code: string }[] }>('status.get');
    const codes = ['disk-full', 'audit-paused', 'history-paused'];
    return problems.some(({ code }) => codes.includes(code)) === isThere ? true : undefined;
  });
}

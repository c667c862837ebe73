import { askVerb } from '../host/ask.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { throwBytes } from '../host/throw-bytes.ts';
import { malformedBytes } from '../load/malformed-bytes.ts';
import type { Trial } from '../trial.ts';

const AT_ONCE = 24;

/** Malformed requests at the agent's two sockets and at the gateway: none is a server error, and good ones are answered after. */
export const malformed: Trial = {
  name: 'malformed',
  title: 'malformed requests at every socket',
  run: async ({ host, model, sizes, random }) => {
    const { agent, gateway } = host;
    const doors = [host.doors.admin, host.doors.group, host.doors.gateway];
    const statuses = new Map<string, number>();
    for (let sent = 0; sent < sizes.malformed; sent += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, sizes.malformed - sent) }, async (_, index) => {
        const bytes = malformedBytes(random);
        const status = await throwBytes(doors[(sent + index) % doors.length] ?? host.doors.group, bytes);
        if (status !== null && status >= 500 && status !== 501)
          throw new Error(
            `status ${status} for ${JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 500))}`,
          );
        const kind = status === null ? 'closed' : `${Math.floor(status / 100)}xx`;
        statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      });
      await Promise.all(batch);
    }
    host.requireWell();
    if (host.agent !== agent || host.gateway !== gateway) throw new Error('a program was started anew');
    await askVerb(host.doors.gateway, 'query', 'status.get', undefined, host.as.viewer);
    model.change(10);
    await kernelAgrees(host, { must: model.wanted() });
    const kinds = [...statuses].toSorted().map(([kind, count]) => `${kind} ${count}`);
    return {
      figures: [
        ['malformed requests tried', `${sizes.malformed} (${kinds.join(', ')}); no 5xx, good ones answered after`],
      ],
    };
  },
};

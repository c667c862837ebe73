import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { ask, type Door } from '../host/ask.ts';
import { descriptorCount, launcherOf } from '../host/descendants.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import { until } from '../host/until.ts';
import { createModelWriter } from '../load/model-writer.ts';
import type { Trial } from '../trial.ts';

/** Descriptors left to a program: enough for nothing. */
const LEFT = 2;
const CALLERS = 60;
const LASTS_MS = 2_500;
const USUAL = 1_024;

/** Agent, launcher and gateway have no file descriptor left while callers come and the model changes; then they have. */
export const descriptors: Trial = {
  name: 'descriptors',
  title: 'file descriptors exhausted',
  run: async ({ host, model, random }) => {
    const { agent, gateway } = host;
    const launcher = await until('the launcher', () => launcherOf(agent.pid));
    const writer = createModelWriter(model, random);
    const exhausted = new Map([
      ['agent', agent.pid],
      ['launcher', launcher],
      ['gateway', gateway.pid],
    ]);
    for (const [name, pid] of exhausted) {
      await limit(pid, descriptorCount(pid) + LEFT);
      writer.resume();
      const callers = Array.from({ length: CALLERS }, () =>
        knock(name === 'gateway' ? host.doors.gateway : host.doors.admin),
      );
      await delay(LASTS_MS);
      await writer.pause();
      await limit(pid, USUAL);
      for (const caller of callers) caller.destroy();
      model.change(10);
      await kernelAgrees(host, { must: model.wanted() });
      await until(`an answer after the ${name} had no descriptors`, async () => {
        const { status } = await ask(host.doors.gateway, { path: '/api/trpc/status.get', headers: host.as.viewer });
        return status === 200 ? true : undefined;
      });
      host.requireWell();
    }
    return {
      figures: [
        ['descriptors exhausted', `${[...exhausted.keys()].join(', ')}: none ended, kernel as the model says after`],
      ],
    };
  },
};

/** Sets the soft limit of a running program: as its own user, because that is who may. */
async function limit(pid: number, count: number): Promise<void> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const id = (name: string): string => new RegExp(`^${name}:\\s+(\\d+)`, 'mu').exec(status)?.[1] ?? '0';
  const asItself = ['--reuid', id('Uid'), '--regid', id('Gid'), '--clear-groups', '--'];
  await execa('setpriv', [...asItself, 'prlimit', '--pid', String(pid), `--nofile=${count}:`]);
}

function knock(door: Door): Socket {
  const socket = connect('socketPath' in door ? { path: door.socketPath } : door);
  socket.on('error', () => undefined);
  socket.write('GET /api/trpc/status.settled HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  socket.resume();
  return socket;
}

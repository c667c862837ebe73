import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../host/ask.ts';
import type { FaultHost } from '../host/fault-host.ts';
import { kernelAgrees } from '../host/kernel-agrees.ts';
import type { Trial } from '../trial.ts';

/** What is in the folder of a host and holds secrets because that is its purpose. */
const KEEPERS = ['key.pem'];

/** A whole run in which secrets are also typed where they do not belong: none is in any log, store, audit, export or metric. */
export const secrets: Trial = {
  name: 'secrets',
  title: 'secrets kept out of logs, stores, audit and exports',
  run: async ({ host, model }) => {
    await mistype(host);
    model.change(20);
    await host.act('pins.add', { group: 'tag:t0', reason: 'a reason' });
    await kernelAgrees(host, { must: model.wanted() });
    const texts = new Map<string, string>([
      ["the agent's log", host.agent.words()],
      ["the gateway's log", host.gateway.words()],
    ]);
    for (const verb of ['audit.list', 'changes.list', 'runs.list', 'status.get', 'metrics.get', 'doctor.run'])
      texts.set(verb, JSON.stringify(await host.query(verb, verb.endsWith('.list') ? { limit: 1_000 } : undefined)));
    for (const format of ['yaml', 'restore'])
      texts.set(`model.export ${format}`, JSON.stringify(await host.query('model.export', { format })));
    for (const path of ['/metrics', '/api/users/log', '/api/users'])
      texts.set(path, (await ask(host.doors.gateway, { path, headers: host.as.admin })).text);
    // As they lie on the disk, write-ahead logs and freed pages with them.
    for (const file of filesOf(host.folder)) texts.set(file, readFileSync(join(host.folder, file), 'latin1'));
    for (const [where, text] of texts) {
      const found = host.secrets.findIndex((secret) => text.includes(secret));
      if (found >= 0) throw new Error(`secret ${found + 1} of ${host.secrets.length} is in ${where}`);
    }
    host.requireWell();
    return {
      figures: [
        [
          'secrets of a whole run looked for',
          `${host.secrets.length} in ${texts.size} logs, files and answers; none found`,
        ],
      ],
    };
  },
};

/** What people do: a password as a name, a token in an address, a cookie in a body. */
async function mistype({ doors, secrets, as }: FaultHost): Promise<void> {
  for (const secret of secrets) {
    const inAddress = encodeURIComponent(secret);
    await ask(doors.gateway, { method: 'POST', path: '/api/login', body: { name: secret, password: 'x' } });
    await ask(doors.gateway, { method: 'POST', path: '/api/login', body: { name: 'viewer', password: secret, x: 1 } });
    await ask(doors.gateway, { path: `/api/trpc/status.get?token=${inAddress}`, headers: as.viewer });
    await ask(doors.gateway, { path: `/api/trpc/${inAddress}`, headers: { authorization: `Bearer ${secret}` } });
    await ask(doors.group, { path: `/api/trpc/${inAddress}`, headers: { authorization: `Bearer ${secret}` } });
    await ask(doors.group, { method: 'POST', path: `/api/trpc/${inAddress}`, body: {} });
    await ask(doors.group, { method: 'POST', path: '/api/trpc/pins.add', body: { password: secret } });
  }
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !KEEPERS.includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath.slice(folder.length), name));
}

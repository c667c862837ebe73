import { mayAsk, verbs } from '@setkeeper/api';
import { ask, statusOf } from '../host/ask.ts';
import type { FaultHost } from '../host/fault-host.ts';
import type { Credentials, Role } from '../host/make-users.ts';
import type { Trial } from '../trial.ts';

const ROLES: readonly Role[] = ['viewer', 'operator', 'admin'];

/** Every verb with every role, through the gateway, and with none, at the gateway and at the agent's own socket. */
export const roleWalk: Trial = {
  name: 'roles',
  title: 'every verb with every role and with none',
  run: async ({ host }) => {
    const rows: string[] = [];
    let asked = 0;
    for (const verb of Object.values(verbs)) {
      const cells: string[] = [];
      for (const role of ROLES) {
        const { status, text } = await askFor(host, verb.name, verb.kind, host.as[role]);
        asked += 1;
        const isAllowed = mayAsk(role, verb);
        if (isAllowed === (status === 401 || status === 403) || status >= 500)
          throw new Error(`${verb.name} as ${role}: ${status} ${text.slice(0, 200)}`);
        if (!isAllowed && !text.includes(`${verb.name} needs the role ${verb.role}`))
          throw new Error(`the refusal of ${verb.name} does not name verb and role: ${text.slice(0, 200)}`);
        cells.push(isAllowed ? 'yes' : String(status));
      }
      for (const isDirect of [false, true]) {
        const { status, text } = await askFor(host, verb.name, verb.kind, {}, isDirect);
        asked += 1;
        if (status !== 401) throw new Error(`${verb.name} as nobody: ${status} ${text.slice(0, 200)}`);
        cells.push(String(status));
      }
      rows.push(row(verb.name, cells));
    }
    const watched = await Promise.all(
      [...ROLES, null].map((role) =>
        statusOf(host.doors.gateway, '/api/trpc/events.watch', role === null ? {} : host.as[role]),
      ),
    );
    watched.push(await statusOf(host.doors.group, '/api/trpc/events.watch', {}));
    if (watched.join(' ') !== '200 200 200 401 401') throw new Error(`events.watch: ${watched.join(' ')}`);
    asked += watched.length;
    rows.push(
      row(
        'events.watch',
        watched.map((status) => (status === 200 ? 'yes' : String(status))),
      ),
    );
    host.requireWell();
    return {
      figures: [['role walk', `${rows.length} verbs, ${asked} questions: each answered or refused as its role says`]],
      lines: ['Role walk:', row('verb', [...ROLES, 'nobody', 'nobody at the agent']), ...rows],
    };
  },
};

function askFor(
  { doors }: FaultHost,
  verb: string,
  kind: 'query' | 'mutation',
  headers: Credentials,
  isDirect = false,
): ReturnType<typeof ask> {
  const path = `/api/trpc/${verb}`;
  const door = isDirect ? doors.group : doors.gateway;
  return ask(door, kind === 'query' ? { path, headers } : { method: 'POST', path, body: {}, headers });
}

const row = (verb: string, cells: readonly string[]): string =>
  `  ${verb.padEnd(20)}${cells.map((cell) => cell.padEnd(10)).join('')}`.trimEnd();

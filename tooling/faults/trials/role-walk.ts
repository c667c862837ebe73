import { type AuditEntry, mayAsk, verbs } from '@setkeeper/api';
import { ask, statusOf } from '../host/ask.ts';
import type { FaultHost } from '../host/fault-host.ts';
import type { Credentials, Role } from '../host/make-users.ts';
import { until } from '../host/until.ts';
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
    await accountsAreInTheAudit(host);
    return {
      figures: [
        [
          'role walk',
          `${rows.length} verbs, ${asked} questions: each answered or refused as its role says; accounts in the audit`,
        ],
      ],
      lines: ['Role walk:', row('verb', [...ROLES, 'nobody', 'nobody at the agent']), ...rows],
    };
  },
};

/** What made the users of this host: the first admin, two users and their passwords, three tokens. */
async function accountsAreInTheAudit({ query }: FaultHost): Promise<void> {
  await until('what happened to accounts to be in the audit', async () => {
    const { items } = await query<{ items: readonly AuditEntry[] }>('audit.list', { limit: 1_000 });
    const count = (verb: string): number =>
      items.filter((entry) => entry.verb === verb && entry.result === 'done').length;
    const seen = ['first-admin', 'add-user', 'sign-in', 'change-password', 'create-token'].map((act) =>
      count(`account.${act}`),
    );
    if (seen.join(' ') !== '1 2 2 2 3') throw new Error(`there are ${seen.join(' ')}`);
    return true;
  });
}

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

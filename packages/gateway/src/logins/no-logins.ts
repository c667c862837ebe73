import type { Visitor } from '../visitors/visitor.ts';
import type { Logins } from './logins.ts';
import type { SessionAnswer } from './session-answer.ts';

/** Whoever reaches a loopback address, where there are no logins. */
const local: Visitor = {
  subject: 'local',
  name: 'local',
  role: 'operator',
  sessionId: 'local',
  via: 'nobody-else',
  mustChangePassword: false,
};

/** Everybody on this machine is the operator `local`. The configuration allows it on a loopback address alone. */
export function createNoLogins(agents: readonly string[]): Logins {
  return {
    isOn: false,
    who: async () => local,
    active: () => {},
    current: async () => local,
    register(app) {
      app.get('/api/session', async (_request, reply): Promise<SessionAnswer> => {
        reply.header('cache-control', 'no-store');
        return {
          loginsEnabled: false,
          needsFirstAdmin: false,
          user: { id: local.subject, name: local.name, role: local.role },
          role: local.role,
          mustChangePassword: false,
          session: null,
          agents,
        };
      });
    },
    close: () => {},
  };
}

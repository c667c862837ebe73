import type { Visitor } from '../visitors/visitor.ts';
import type { Logins } from './logins.ts';
import type { SessionAnswer } from './session-answer.ts';

/** Whoever reaches a loopback address, where there are no logins. */
const local: Visitor = { subject: 'local', name: 'local', role: 'operator', sessionId: 'local' };

/** Everybody on this machine is the operator `local`. The configuration allows it on a loopback address alone. */
export function createNoLogins(agents: readonly string[]): Logins {
  return {
    isOn: false,
    who: async () => local,
    current: async () => local,
    register(app) {
      app.get(
        '/api/session',
        async (): Promise<SessionAnswer> => ({
          loginsEnabled: false,
          needsFirstAdmin: false,
          user: { id: local.subject, name: local.name, role: local.role },
          role: local.role,
          session: null,
          agents,
        }),
      );
    },
    close: () => {},
  };
}

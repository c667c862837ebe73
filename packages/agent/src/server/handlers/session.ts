import { type Handlers, mayAsk, verbs } from '@setkeeper/api';

/** Who the agent takes the caller for. */
export function sessionHandlers(): Pick<Handlers, 'session.get'> {
  return {
    'session.get': (_input, { caller }) => ({
      subject: caller.subject,
      name: caller.name,
      role: caller.role,
      via: caller.via,
      verbs: Object.fromEntries(Object.values(verbs).map((verb) => [verb.name, mayAsk(caller.role, verb)])),
    }),
  };
}

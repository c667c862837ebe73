import { ApiError, type Handlers, type VerbName, verbs } from '@setkeeper/api';

/** Verbs that only look, but at what an observing agent does not have: plans. */
const NEEDS_MODEL: readonly VerbName[] = ['plan.get', 'plan.lines'];

/** It refuses by itself what is no dry run. */
const REFUSES_ITSELF: VerbName = 'leftovers.cleanup';

/** The handlers of an agent that observes: every act is refused, whatever stands behind it. */
export function observingHandlers(handlers: Handlers): Handlers {
  const refused = Object.values(verbs)
    .filter(({ name, kind }) => (kind === 'mutation' && name !== REFUSES_ITSELF) || NEEDS_MODEL.includes(name))
    .map(({ name }) => [
      name,
      () => {
        throw new ApiError('observe-mode', `This agent only observes: ${name} is not done.`, {
          subject: name,
          remedy: 'Set `mode: manage` in agent.yaml, then start the agent again.',
        });
      },
    ]);
  // Each name is a verb's, and a handler that always throws fits any verb.
  return { ...handlers, ...(Object.fromEntries(refused) as Partial<Handlers>) };
}

import { type Handlers, verbs } from '@setkeeper/api';
import { expect, it } from 'vitest';
import { observingHandlers } from './observing-handlers.ts';

it('refuses every act, and what only a model can answer, but lets looking through, a dry run too', () => {
  const handlers = Object.fromEntries(Object.keys(verbs).map((name) => [name, () => name])) as unknown as Handlers;
  const observing = observingHandlers(handlers);
  for (const { name, kind } of Object.values(verbs)) {
    const ask = () => (observing[name] as () => unknown)();
    const looks = kind === 'query' || name === 'leftovers.cleanup';
    if (!looks || name === 'plan.get' || name === 'plan.lines')
      expect(ask, name).toThrow(expect.objectContaining({ code: 'observe-mode', subject: name }));
    else expect(ask(), name).toBe(name);
  }
});

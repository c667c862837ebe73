import type { Handlers } from '@setkeeper/api';
import type { Explainer } from '../../explain/explainer.ts';

/** Why an address is in which sets of the host, or not. */
export const explainHandlers = (explainer: Explainer): Pick<Handlers, 'explain.address'> => ({
  'explain.address': ({ address, group }) => explainer.explain(address.trim(), group),
});

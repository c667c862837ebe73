import type { Explanation } from '../../client/api-types.ts';

/**
 * The answer for the whole host with that for one group before it. An answer that was asked with a group speaks of that
 * group alone; taken by itself it would say of an address in another set that it is in none.
 */
export function joinedAnswers(host: Explanation, ofGroup: Explanation | undefined): Explanation {
  if (ofGroup === undefined) return host;
  const named = new Set(ofGroup.sets.map((set) => set.name));
  return {
    ...host,
    sets: [...ofGroup.sets, ...host.sets.filter((set) => !named.has(set.name))],
    why: [...new Set([...ofGroup.why, ...host.why])],
  };
}

import type { Owner } from '@setkeeper/api';

/** What a verdict is made of. */
export interface VerdictFacts {
  readonly address: string;
  readonly name: string;
  readonly group: string | undefined;
  /** What a foreign or left-over set is, for people: `foreign, fail2ban by its name`. */
  readonly kind: string | undefined;
  readonly matched: boolean;
  readonly excluded: boolean;
  readonly by: readonly string[];
  readonly desired: boolean;
  /** Why kernel and model differ; null: they do not. */
  readonly gap: string | null;
  readonly owners: readonly Owner[];
  readonly usedBy: readonly string[];
  /** False: what uses sets could not all be read. */
  readonly isUseKnown: boolean;
  readonly whyNot: readonly string[];
}

const USERS_MAX = 3;

/** One sentence: `203.0.113.9 is in f2b-sshd (foreign, fail2ban by its name), used by INPUT rule 3 DROP`. */
export function verdictSentence(facts: VerdictFacts): string {
  const set = setWords(facts);
  if (facts.matched) {
    const why = facts.gap === null ? ownerWords(facts.owners) : ` though the model does not want it: ${facts.gap}`;
    return `${facts.address} is in ${set}${why}${useWords(facts)}`;
  }
  if (facts.desired) return `${facts.address} is NOT in ${set} though the model wants it: ${facts.gap ?? 'pending'}`;
  if (facts.excluded) return `${facts.address} is NOT in ${set}: ${facts.by.join(', ')} is an exception`;
  const why = facts.whyNot.length === 0 ? '' : `: ${facts.whyNot.join('; ')}`;
  return `${facts.address} is NOT in ${set}${why}`;
}

function setWords({ name, group, kind }: VerdictFacts): string {
  if (group !== undefined) return `${group} (${name})`;
  return kind === undefined ? name : `${name} (${kind})`;
}

function ownerWords(owners: readonly Owner[]): string {
  const [first] = owners;
  if (first === undefined) return '';
  const more = owners.length === 1 ? '' : ` and ${owners.length - 1} more`;
  return ` because of ${ownerName(first)}${more}`;
}

function ownerName({ override, endpoint, profile, object, source }: Owner): string {
  if (override !== undefined) return `the override ${override}`;
  if (endpoint !== undefined) return `endpoint ${endpoint}${profile === undefined ? '' : ` (profile ${profile})`}`;
  return object ?? source;
}

function useWords({ usedBy, isUseKnown }: VerdictFacts): string {
  if (usedBy.length === 0) return isUseKnown ? '; no rule uses it' : '; what uses it could not all be read';
  const shown = usedBy.slice(0, USERS_MAX).join(', ');
  const more = usedBy.length > USERS_MAX ? ` and ${usedBy.length - USERS_MAX} more` : '';
  return `, used by ${shown}${more}`;
}

import type { ProblemCode } from '@setkeeper/api';
import type { HolderReading } from '../holders/holder-reading.ts';
import { explainedCount } from '../holders/holder-reading.ts';
import type { LeakTracker } from '../leaks/leak-tracker.ts';
import { OLD_PIN_MS, orphanedPins } from '../leaks/named-leaks.ts';
import { FIREWALLD_NOTE } from '../ownership/kernel-rows.ts';
import { type OwnershipRules, setOwnership } from '../ownership/set-ownership.ts';
import type { HostHeaders } from './host-observer.ts';
import type { PinView } from './managed-view.ts';

/** A problem that looking at the host found. */
export interface HostProblem {
  readonly code: ProblemCode;
  readonly subject: string;
  readonly message: string;
  readonly remedy: string;
  readonly consequence?: string;
}

/** The codes that `hostProblems` speaks for: what it does not give of them is over. */
export const HOST_PROBLEM_CODES = [
  'prefix-shared',
  'nft-backend-set',
  'leak',
  'orphaned-reference',
  'pin-old',
  'leftovers',
  'holders-unreadable',
] as const satisfies readonly ProblemCode[];

/** Named problems of one kind: a host with ten thousand of them is told of these, and how many more there are. */
const SUBJECTS_MAX = 20;

export interface HostState {
  readonly headers: HostHeaders;
  readonly holders: HolderReading | null;
  readonly leaks: LeakTracker;
  readonly leaksAfterSeconds: number;
  readonly rules: OwnershipRules;
  readonly pins: readonly PinView[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** How many leftovers there are; 0 where they cannot be judged: in observe mode they may be another agent's. */
  readonly leftovers: number;
}

/** What is wrong with the host's sets besides what the engine says of its own. O(sets). */
export function hostProblems(state: HostState): readonly HostProblem[] {
  return [
    ...sharedPrefixes(state),
    ...firewalldSets(state),
    ...leaks(state),
    ...orphans(state),
    ...oldPins(state),
    ...leftovers(state),
    ...unreadableHolders(state),
  ];
}

function sharedPrefixes({ headers, rules }: HostState): readonly HostProblem[] {
  const names = headers.sets
    .map((set): string => set.header.name)
    .filter((name) => setOwnership(name, rules).prefixShared && rules.managedGroup(name) === undefined);
  return names.slice(0, SUBJECTS_MAX).map((name, i) => ({
    code: 'prefix-shared',
    subject: name,
    message: `The set ${name} begins with ${rules.prefix} but is none of Setkeeper's forms: somebody else uses the prefix.${more(names, i)}`,
    remedy:
      'It is left alone. Rename it, or give Setkeeper another sets.prefix, so that nobody takes one for the other.',
  }));
}

function firewalldSets({ headers, holders }: HostState): readonly HostProblem[] {
  if (holders === null || holders.firewalldSets.size === 0) return [];
  const names = headers.sets
    .filter(({ header, references }) => references === 0 && holders.firewalldSets.has(header.name))
    .map((set): string => set.header.name);
  return names.slice(0, SUBJECTS_MAX).map((name, i) => ({
    code: 'nft-backend-set',
    subject: name,
    message: `${name}: ${FIREWALLD_NOTE}.${more(names, i)}`,
    consequence: 'Members of the ipset are not filtered.',
    remedy: 'Set FirewallBackend=iptables in firewalld.conf, or put the members into the set of firewalld.',
  }));
}

function leaks(state: HostState): readonly HostProblem[] {
  return state.leaks.leaks(state.leaksAfterSeconds).flatMap(({ name, count, since, advice }) =>
    name === undefined
      ? []
      : [
          {
            code: 'leak' as const,
            subject: name,
            message: `${name} has ${count} kernel ${count === 1 ? 'reference' : 'references'} that nothing found explains, since ${since}.`,
            consequence: 'It cannot be destroyed, and something that nobody sees may filter by it.',
            remedy: advice,
          },
        ],
  );
}

function orphans({ pins }: HostState): readonly HostProblem[] {
  return orphanedPins(pins).map(({ group, referrer }) => ({
    code: 'orphaned-reference',
    subject: `${referrer} ${group}`,
    message: `${referrer} keeps ${group} in the kernel, but the model has no such group.`,
    remedy: `setkeeper unpin ${group}`,
  }));
}

function oldPins({ pins, now }: HostState): readonly HostProblem[] {
  return pins
    .filter(({ isDefined, at }) => isDefined && now - at >= OLD_PIN_MS)
    .map(({ group, referrer, at }) => ({
      code: 'pin-old',
      subject: `${referrer} ${group}`,
      message: `${referrer} keeps ${group} in the kernel since ${new Date(at).toISOString()}: more than 30 days.`,
      remedy: `If nobody needs it any more: setkeeper unpin ${group}. If somebody does, name it in a references document.`,
    }));
}

function leftovers({ leftovers: count }: HostState): readonly HostProblem[] {
  if (count === 0) return [];
  return [
    {
      code: 'leftovers',
      subject: 'leftovers',
      message: `${count} ${count === 1 ? 'set is' : 'sets are'} of Setkeeper's form and not wanted by anything in the model.`,
      remedy: '"setkeeper leftovers" shows them, "setkeeper cleanup" destroys the unused ones.',
    },
  ];
}

/** Only where it matters: a set is referenced, and what was read does not say by whom. */
function unreadableHolders({ headers, holders }: HostState): readonly HostProblem[] {
  if (holders === null || holders.unreadable.length === 0) return [];
  const isUnseen = headers.sets.some(
    ({ header, references }) => references !== null && references > explainedCount(holders, header.name),
  );
  if (!isUnseen) return [];
  return holders.unreadable.slice(0, SUBJECTS_MAX).map(({ what, why, remedy }) => ({
    code: 'holders-unreadable',
    subject: what,
    message: `What holds sets could not all be read: ${what}: ${why}.`,
    consequence: 'Sets may be used by rules that are not shown.',
    remedy,
  }));
}

const more = (all: readonly string[], index: number): string =>
  index === SUBJECTS_MAX - 1 && all.length > SUBJECTS_MAX ? ` And ${all.length - SUBJECTS_MAX} more like it.` : '';

import type { Problem } from '../../client/api-types.ts';
import { screenHref, setHref } from '../../words/addresses.ts';

/** The one thing to press for a problem. */
export interface ProblemTarget {
  readonly href: string;
  readonly label: string;
}

const setSubject = /^((?:tag|port|net|list|hosts):.*?)(?: \((inet6?)\))?$/u;

/** Where a problem is looked at and mended. A subject that names a group leads to that set, on the tab that tells why. */
export function problemTarget(problem: Problem): ProblemTarget {
  const [, group, family] = setSubject.exec(problem.subject) ?? [];
  const toSet = (label: string, tab?: string, otherwise = '/sets/?state=failed'): ProblemTarget => ({
    href: group === undefined ? otherwise : setHref(group, family, tab),
    label,
  });
  switch (problem.code) {
    case 'change-held':
    case 'source-shrunk':
      return { href: '/held/', label: 'Review what is held' };
    case 'on-hold':
      return { href: '/holds/', label: 'See the hold' };
    case 'source-missing':
    case 'source-stale':
    case 'source-fault':
    case 'source-conflict':
      return { href: '/sources/', label: 'See the source' };
    case 'leak':
    case 'orphaned-reference':
    case 'pin-old':
    case 'holders-unreadable':
      return { href: '/references/', label: 'See who holds it' };
    case 'leftovers':
      return { href: '/leftovers/', label: 'See leftovers' };
    case 'members-parked':
      return toSet('See what was rejected', 'pending', '/sets/?state=parked');
    case 'over-capacity':
    case 'capacity-80':
    case 'capacity-95':
      return toSet('See what has no room', 'pending');
    case 'set-failed':
      return toSet('See why it failed', 'history');
    case 'set-unknown':
      return toSet('See why it is unknown', 'kernel', '/sets/?state=unknown');
    case 'drift':
    case 'drift-fight':
      return toSet('See what drifted', 'kernel', '/sets/?state=drifted');
    case 'header-conflict':
    case 'destroy-refused':
    case 'no-longer-used':
    case 'used-but-not-referenced':
    case 'nft-backend-set':
      return toSet('See its references', 'references');
    case 'prefix-shared':
    case 'name-collision':
      return toSet('See the sets', undefined, '/kernel/');
    case 'apply-waiting':
      return { href: '/pending/', label: 'See what is pending' };
    case 'audit-paused':
      return { href: '/audit/', label: 'See the audit' };
    case 'history-paused':
    case 'disk-full':
    case 'store-set-aside':
    case 'boot-files':
    case 'clock-jump':
    case 'agent-slow':
    case 'environment':
    case 'writer-lost':
    case 'kernel-unreadable':
    case 'no-stdbuf':
      return { href: '/doctor/', label: 'Ask the doctor' };
    default:
      return { href: screenHref('/glossary/', {}), label: 'What this means' };
  }
}

import type { RestoreFailure } from '@setkeeper/ipset';
import type { Step } from './script-lines.ts';

/** What to do about a line that a child stopped at. */
export type Verdict =
  /** The kernel's or ipset's word is final. */
  | { readonly do: 'reject' }
  /** What was to be removed is not there, and cannot be: a del of something absent counts as applied. */
  | { readonly do: 'count-applied' }
  /** The child may have believed the set to be of another type: ask a fresh one. */
  | { readonly do: 'ask-fresh-child' }
  /** Somebody's dump is running: the same line again, a little later. */
  | { readonly do: 'retry-later' }
  /** Only the kernel's References tell whether it is really in use. */
  | { readonly do: 'look-at-references' }
  /** Only the set's header tells whether all of the section is hopeless. */
  | { readonly do: 'look-at-header' }
  /** Somebody destroyed the set in the middle: what was in it is gone. */
  | { readonly do: 'restart-section' }
  | { readonly do: 'recreate-set' }
  | { readonly do: 'mend-main' };

/** The facts beside the failure. */
export interface FailureFacts {
  readonly step: Step;
  /** This child had the set's first line in the run under way: what it believes of the set is fresh. */
  readonly isFreshChild: boolean;
}

/** Decides by the rules of KERNEL.md section 3. Pure; environment errors are decided before. */
export function verdictOn(failure: RestoreFailure, { step, isFreshChild }: FailureFacts): Verdict {
  if (failure.transient || failure.code === 'busy') return { do: 'retry-later' };
  switch (failure.code) {
    case 'list-member':
      return { do: step === 'del' ? 'count-applied' : 'reject' };
    case 'absent':
      return { do: 'count-applied' };
    case 'set-in-use':
      return { do: 'look-at-references' };
    case 'protocol-error':
      if (!isFreshChild) return { do: 'ask-fresh-child' };
      return step === 'add' || step === 'del' ? { do: 'look-at-header' } : { do: 'reject' };
    case 'syntax':
    case 'usage':
      return isFreshChild ? { do: 'reject' } : { do: 'ask-fresh-child' };
    case 'swap-missing':
      return { do: 'mend-main' };
    case 'set-missing':
      if (step === 'fill' || step === 'swap') return { do: 'restart-section' };
      return step === 'add' || step === 'del' ? { do: 'recreate-set' } : { do: 'reject' };
    default:
      return { do: 'reject' };
  }
}

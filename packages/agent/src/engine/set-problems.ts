import type { ProblemCode } from '@setkeeper/api';
import { NOT_READ } from '../sets/ledger.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import { setCounts } from '../sets/set-counts.ts';
import type { EngineState } from './engine-state.ts';

/** `tag:web (inet)`: how a set is named to people. */
export const setTitle = (set: ManagedSet): string => `${set.group}${set.family === null ? '' : ` (${set.family})`}`;

/** Parts of a set's capacity from which on an operator is told. */
const NEARLY_FULL = 0.8;
const ALMOST_FULL = 0.95;

interface Standing {
  readonly message: string;
  readonly remedy: string;
  readonly consequence?: string;
}

/** Raises the problems that a set has now and clears those that it has no more. O(1) but for lists and networks. */
export function reviewProblems(state: EngineState, set: ManagedSet): void {
  const { problems } = state.ports;
  const subject = setTitle(set);
  for (const [code, standing] of Object.entries(standingsOf(set)) as [ProblemCode, Standing | null][]) {
    if (standing === null) problems.clear(code, subject);
    else problems.raise({ code, subject, ...standing });
  }
}

/** A set that is no more has no problems. */
export function clearProblems(state: EngineState, set: ManagedSet): void {
  for (const code of CODES) state.ports.problems.clear(code, setTitle(set));
}

const CODES = [
  'name-collision',
  'header-conflict',
  'set-failed',
  'destroy-refused',
  'set-unknown',
  'members-parked',
  'over-capacity',
  'capacity-95',
  'capacity-80',
  'used-but-not-referenced',
  'drift',
] as const satisfies readonly ProblemCode[];

function standingsOf(set: ManagedSet): Readonly<Record<(typeof CODES)[number], Standing | null>> {
  const { failure, name, group } = set;
  const counts = setCounts(set);
  const fill = set.maxelem === null ? 0 : (counts.programmed ?? 0) / set.maxelem;
  const isInKernel = set.ledger.content.kind === 'known';
  return {
    'name-collision': onlyIf(set.collidesWith !== null, () => ({
      message: `${group} and ${set.collidesWith} have the same kernel name ${name}; ${group} is not programmed.`,
      remedy: 'Rename one of the two.',
    })),
    'header-conflict': onlyIf(set.conflict !== null, () => ({
      message: `${set.conflict}, and it is used: it cannot be made anew.`,
      consequence: `${group} is not programmed.`,
      remedy: `Remove what uses it ("setkeeper references ${group}" shows what), then it is created by itself.`,
    })),
    'set-failed': onlyIf(failure !== null && failure.op !== 'destroy', () => ({
      message: `The kernel refused to ${failure?.op} ${name}: ${failure?.message}`,
      consequence: 'The set is not what the model says.',
      remedy: 'It is tried again by itself; "setkeeper retry" tries at once.',
    })),
    'destroy-refused': onlyIf(failure?.op === 'destroy', () => ({
      message: `${name} is no longer wanted, but the kernel refuses to destroy it: ${failure?.message}`,
      consequence: 'It goes on being updated.',
      remedy: `"setkeeper references ${group}" shows what holds it.`,
    })),
    'set-unknown': onlyIf(causeOf(set) !== null && set.life.phase !== 'waiting', () => ({
      message: `What ${name} holds is not known: ${causeOf(set)}.`,
      consequence: 'Whether it is what the model says is not known either.',
      remedy: 'It is read again, and written anew if that fails.',
    })),
    'members-parked': onlyIf(counts.parked > 0, () => ({
      message: `The kernel refused ${counts.parked} members of ${name}.`,
      consequence: 'The set is not what the model says.',
      remedy: `"setkeeper set ${group}" shows them with the kernel's words; they are tried again by themselves.`,
    })),
    'over-capacity': onlyIf(counts.overCapacity > 0, () => ({
      message: `${name} has no room for ${counts.overCapacity} members (maxelem ${set.maxelem}).`,
      consequence: 'They are not in the kernel.',
      remedy: `setkeeper reprogram ${group} --maxelem ${2 * (set.maxelem ?? 0)}`,
    })),
    'capacity-95': onlyIf(isInKernel && fill >= ALMOST_FULL, () => nearlyFull(set)),
    'capacity-80': onlyIf(isInKernel && fill >= NEARLY_FULL && fill < ALMOST_FULL, () => nearlyFull(set)),
    'used-but-not-referenced': onlyIf(!set.isWanted && isInKernel && (set.kernelReferences ?? 0) > 0, () => ({
      message: `${name} is used by ${set.kernelReferences} rules or lists, but nothing references ${group}.`,
      remedy: `Reference or pin it, or remove what uses it ("setkeeper references ${group}").`,
    })),
    drift: onlyIf(set.drift !== null, () => ({
      message: `Somebody else changed ${name}.`,
      consequence: 'The set is not what the model says.',
      remedy: `"setkeeper set ${group}" shows what; it is repaired unless repair is off.`,
    })),
  };
}

const onlyIf = (isStanding: boolean, standing: () => Standing): Standing | null => (isStanding ? standing() : null);

/** Why what a set holds is not known, though it was read or written. */
function causeOf({ ledger: { content } }: ManagedSet): string | null {
  return content.kind === 'unknown' && content.cause !== NOT_READ ? content.cause : null;
}

function nearlyFull(set: ManagedSet): Standing {
  const { programmed } = setCounts(set);
  return {
    message: `${set.name} holds ${programmed} of at most ${set.maxelem} members.`,
    consequence: 'Members that find no room will not be in the kernel.',
    remedy: `setkeeper reprogram ${set.group} --maxelem ${2 * (set.maxelem ?? 0)}`,
  };
}

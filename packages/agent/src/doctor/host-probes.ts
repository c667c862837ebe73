import type { Problem } from '@setkeeper/api';
import type { HolderReading } from '../holders/holder-reading.ts';
import { bad, good, type Probe } from './doctor.ts';

export interface HostProbeParts {
  /** Rules and lists read now. */
  readonly readHolders: () => Promise<HolderReading>;
  readonly problems: () => readonly Problem[];
  readonly prefix: string;
}

/** Mistakes beside the agent: rules that it cannot see, other tools in its way. */
export function hostProbes({ readHolders, problems, prefix }: HostProbeParts): readonly Probe[] {
  const standing = (code: Problem['code']): Problem | undefined => problems().find((problem) => problem.code === code);
  return [
    {
      check: 'rules',
      look: async () => {
        const { unreadable, holders } = await readHolders();
        const [first] = unreadable;
        if (first === undefined)
          return good(`Every rule can be seen; ${holders.size} ${holders.size === 1 ? 'set is' : 'sets are'} used.`);
        const more = unreadable.length === 1 ? '' : ` (and ${unreadable.length - 1} more)`;
        return bad(`${first.what} cannot be read: ${first.why}${more}. What it holds is not known.`, first.remedy);
      },
    },
    {
      check: 'set prefix',
      look: () => {
        const shared = standing('prefix-shared');
        return shared === undefined ? good(`${prefix} is ours alone.`) : bad(shared.message, shared.remedy);
      },
    },
    {
      check: 'firewalld',
      look: () => {
        const native = standing('nft-backend-set');
        return native === undefined ? null : bad(native.message, native.remedy);
      },
    },
  ];
}

import type { ReactNode } from 'react';
import type { Held } from '../../client/api-types.ts';
import { count } from '../../ui/count.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { GroupLink } from '../../words/group-link.tsx';

/** What a held change does to each set: −removes of how many and per cent first, then +adds, and the first of those that would leave. */
export function HeldSets({ held }: { readonly held: Held }): ReactNode {
  return (
    <ScrollRegion label={`Sets of ${held.id}`} className="max-h-96 border-t border-line">
      <table className="w-full text-left">
        <thead className="sticky top-0 bg-surface text-xs text-ink-3">
          <tr>
            <th className="py-2 pr-2 pl-4 font-medium">Group</th>
            <th className="py-2 text-right font-medium">Removes, waiting</th>
            <th className="py-2 pl-2 text-right font-medium">of</th>
            <th className="py-2 pl-2 text-right font-medium">per cent</th>
            <th className="py-2 pl-2 text-right font-medium">Adds, in already</th>
            <th className="px-4 py-2 font-medium">Would leave</th>
          </tr>
        </thead>
        <tbody>
          {held.sets.map((set) => (
            <tr key={`${set.group} ${set.family}`} className="border-t border-line">
              <td className="py-1.5 pr-2 pl-4">
                <GroupLink group={set.group} family={set.family} />{' '}
                <span className="text-xs text-ink-3">{set.family ?? 'list'}</span>
              </td>
              <td className="text-right font-semibold whitespace-nowrap text-bad">−{count(set.removes)}</td>
              <td className="pl-2 text-right">{count(set.of)}</td>
              <td className="pl-2 text-right font-semibold whitespace-nowrap">
                {set.of === 0 ? '–' : `${Math.round((set.removes / set.of) * 100)} %`}
              </td>
              <td className="pl-2 text-right whitespace-nowrap text-ink-2">
                {set.adds === 0 ? '–' : `+${count(set.adds)}`}
              </td>
              <td className="min-w-48 px-4 text-xs">
                <Verbatim text={set.sample.slice(0, 3).join('  ')} wraps className="text-ink-2" />
                {set.removes > 3 ? ' …' : ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

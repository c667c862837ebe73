'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Plan, PlanSelection, PlanSet } from '../../client/api-types.ts';
import { count, counted } from '../../ui/count.ts';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { Pending } from '../../words/pending.tsx';
import { PlanLines } from './plan-lines.tsx';

const howWords: Readonly<Record<PlanSet['how'], string>> = {
  delta: 'only what changed',
  rewrite: 'written whole, then swapped in',
  create: 'created',
  destroy: 'destroyed',
};

/**
 * The exact script of a plan, folded by set, with the meaning of each line beside it. With a search text it is one flat
 * list of the lines that hold it. Sets and lines are virtual: a plan of 100,000 of either opens at once.
 */
export function PlanSections({
  plan,
  selection,
}: {
  readonly plan: Plan;
  readonly selection: PlanSelection;
}): ReactNode {
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(plan.sets.length === 1 ? plan.sets.map((set) => set.name) : []),
  );
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: plan.sets.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 40,
    getItemKey: (index) => plan.sets[index]?.name ?? index,
    overscan: 6,
  });
  const toggle = (name: string) => {
    const next = new Set(open);
    if (!next.delete(name)) next.add(name);
    setOpen(next);
  };
  return (
    <div className="flex flex-col gap-2">
      <div>
        <SearchBox label="Search the script" value={search} onChange={setSearch} />
      </div>
      {search === '' ? (
        <ScrollRegion
          ref={scroller}
          label="Script by set"
          className="max-h-[min(26rem,48dvh)] rounded-lg border border-line"
        >
          <ul className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const set = plan.sets[item.index];
              if (set === undefined) return null;
              return (
                <li
                  key={item.key}
                  ref={virtual.measureElement}
                  data-index={item.index}
                  className="absolute top-0 left-0 w-full border-b border-line bg-surface last:border-b-0"
                  style={{ transform: `translateY(${item.start}px)` }}
                >
                  <SectionHead set={set} isOpen={open.has(set.name)} onToggle={() => toggle(set.name)} />
                  {open.has(set.name) && set.lines > 0 ? (
                    <PlanLines plan={plan} selection={selection} set={set.name} />
                  ) : null}
                </li>
              );
            })}
          </ul>
        </ScrollRegion>
      ) : (
        <div className="rounded-lg border border-line">
          <PlanLines plan={plan} selection={selection} filter={search} />
        </div>
      )}
    </div>
  );
}

function SectionHead({
  set,
  isOpen,
  onToggle,
}: {
  readonly set: PlanSet;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}): ReactNode {
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="flex min-h-10 w-full flex-wrap items-center gap-x-3 gap-y-0.5 px-3 py-1.5 text-left hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <Chevron aria-hidden className="size-4 text-ink-3" />
      <span className="font-semibold">
        <Verbatim text={set.group ?? set.name} className="!font-sans !text-[1em]" />
        {set.family === null ? '' : ` ${set.family}`}
      </span>
      <span className={set.how === 'destroy' ? 'font-medium text-bad' : 'text-ink-2'}>{howWords[set.how]}</span>
      {set.blocked === undefined ? (
        <>
          {set.how === 'delta' ? <Pending adds={set.adds} dels={set.dels} /> : null}
          <span className="text-ink-3">
            {count(set.before)} → {count(set.after)} members
          </span>
          <span className="ml-auto text-xs text-ink-3">{counted(set.lines, 'line')}</span>
        </>
      ) : (
        <StateMark tone="warn" sign="stopped">
          <span className="whitespace-normal">left out: {visibleText(set.blockedDetail ?? set.blocked)}</span>
        </StateMark>
      )}
    </button>
  );
}

'use client';

import { type ReactNode, useState } from 'react';
import { faultOf } from '../../client/api-fault.ts';
import { useAct } from '../../client/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { count, counted } from '../../ui/count.ts';
import { notify } from '../../ui/notices.ts';
import type { Selection } from '../../ui/table/use-selection.ts';
import { HoldDialog } from '../holds/hold-dialog.tsx';
import { PlanDialog } from '../plan/plan-dialog.tsx';

/**
 * What can be done with the chosen sets. "All matching" is a snapshot: the ids that matched when it was pressed are
 * what travels, and what changed since is in the plan that is shown before anything is sent.
 */
export function SelectionBar({
  selection,
  total,
  isEverything,
  readAllIds,
}: {
  readonly selection: Selection;
  readonly total: number | undefined;
  /** No filter is set, and every row is chosen: then the choice is "all" instead of a hundred thousand names. */
  readonly isEverything: boolean;
  readonly readAllIds: (signal: AbortSignal) => Promise<readonly string[]>;
}): ReactNode {
  const [open, setOpen] = useState<'apply' | 'reprogram' | 'hold' | null>(null);
  const [reading, setReading] = useState<AbortController | null>(null);
  const reprogram = useAct('sets.reprogram');
  const apply = useAct('plan.apply');
  const hold = useAct('holds.add');
  if (selection.ids.size === 0) return null;
  const groups = [...new Set([...selection.ids].map(groupOf))];
  const chooseAll = async () => {
    const controller = new AbortController();
    setReading(controller);
    try {
      selection.setAll(await readAllIds(controller.signal), true);
    } catch (error) {
      if (!controller.signal.aborted) notify({ tone: 'bad', text: `Not all were chosen: ${faultOf(error).message}` });
    } finally {
      setReading(null);
    }
  };
  return (
    <section
      aria-label="Chosen sets"
      className="flex flex-wrap items-center gap-2 border-b border-line bg-accent-tint px-3 py-1.5"
    >
      <span aria-live="polite" className="mr-2 font-semibold">
        {counted(selection.ids.size, 'set')} chosen
      </span>
      {apply.isHidden ? null : (
        <Button isSmall onClick={() => setOpen('apply')} blockedBecause={apply.blockedBecause}>
          Apply pending…
        </Button>
      )}
      {reprogram.isHidden ? null : (
        <Button isSmall onClick={() => setOpen('reprogram')} blockedBecause={reprogram.blockedBecause}>
          Reprogram…
        </Button>
      )}
      {hold.isHidden ? null : (
        <Button isSmall onClick={() => setOpen('hold')} blockedBecause={hold.blockedBecause}>
          Hold…
        </Button>
      )}
      {total !== undefined && selection.ids.size < total ? (
        <Button isSmall look="quiet" onClick={() => void (reading === null ? chooseAll() : reading.abort())}>
          {reading === null ? `Choose all ${count(total)} that match` : 'Reading… stop'}
        </Button>
      ) : null}
      <Button isSmall look="quiet" onClick={selection.clear}>
        Choose none
      </Button>
      {open === 'apply' || open === 'reprogram' ? (
        <PlanDialog
          selection={{ ...(isEverything ? { all: true } : { groups }), reprogram: open === 'reprogram' }}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === 'hold' ? <HoldDialog groups={groups} onClose={() => setOpen(null)} /> : null}
    </section>
  );
}

function groupOf(id: string): string {
  return id.slice(0, id.lastIndexOf(' '));
}

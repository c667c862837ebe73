'use client';

import { useMutation } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { PlanSelection, SetDetail } from '../../client/api-types.ts';
import { useAct } from '../../client/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { keepHost } from '../../ui/keep-host.ts';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { notify } from '../../ui/notices.ts';
import { runHref } from '../../words/addresses.ts';
import { HoldDialog } from '../holds/hold-dialog.tsx';
import { OverrideDialog } from '../overrides/override-dialog.tsx';
import { PinDialog } from '../pins/pin-dialog.tsx';
import { PlanDialog } from '../plan/plan-dialog.tsx';
import { GrowDialog } from './grow-dialog.tsx';

type Open =
  | { readonly kind: 'plan'; readonly selection: PlanSelection }
  | { readonly kind: 'grow' | 'pin' | 'hold' | 'override' }
  | null;

/** What can be done with one set. Acts that the role may never do are not there; others say why not now. */
export function SetActions({ set }: { readonly set: SetDetail }): ReactNode {
  const [open, setOpen] = useState<Open>(null);
  const apply = useAct('plan.apply', set.verbs);
  const reprogram = useAct('sets.reprogram', set.verbs);
  const pin = useAct('pins.add', set.verbs);
  const hold = useAct('holds.add', set.verbs);
  const override = useAct('overrides.add', set.verbs);
  const retry = useAct('runs.retry', set.verbs);
  const router = useRouter();
  const retryNow = useMutation(
    api.runs.retry.mutationOptions({
      onSuccess: (run) => router.push(keepHost(runHref(run.id))),
      onError: (error) => notify({ tone: 'bad', text: `Nothing was retried: ${faultOf(error).message}` }),
    }),
  );
  const parkedRun = set.parkedMembers.find((one) => one.run !== null)?.run ?? set.lastRun ?? undefined;
  const close = () => setOpen(null);
  const hasPending = set.pending.adds + set.pending.dels > 0;
  const entry = (
    id: Exclude<NonNullable<Open>['kind'], 'plan'>,
    label: string,
    act: { isHidden: boolean; blockedBecause: string | undefined },
  ): MenuEntry[] =>
    act.isHidden ? [] : [{ id, label, blockedBecause: act.blockedBecause, onSelect: () => setOpen({ kind: id }) }];
  const more = [
    ...(set.maxelem === null ? [] : entry('grow', 'Grow to a larger maxelem…', reprogram)),
    ...entry('override', 'Add or exclude an address…', override),
    ...entry('pin', 'Pin…', pin),
    ...entry('hold', 'Hold…', hold),
  ];
  return (
    <>
      {apply.isHidden || !hasPending ? null : (
        <Button
          look="primary"
          blockedBecause={apply.blockedBecause}
          onClick={() => setOpen({ kind: 'plan', selection: { groups: [set.group] } })}
        >
          Apply pending…
        </Button>
      )}
      {retry.isHidden || set.parked === 0 || parkedRun === undefined ? null : (
        <Button
          blockedBecause={retry.blockedBecause}
          title={`Sends the rejected members again now; the same as setkeeper retry ${parkedRun}`}
          onClick={() => retryNow.mutate({ id: parkedRun })}
        >
          Retry {count(set.parked)}
        </Button>
      )}
      {reprogram.isHidden ? null : (
        <Button
          blockedBecause={reprogram.blockedBecause}
          onClick={() => setOpen({ kind: 'plan', selection: { groups: [set.group], reprogram: true } })}
        >
          Reprogram…
        </Button>
      )}
      {more.length === 0 ? null : (
        <Menu
          label="More acts"
          trigger={
            <Button>
              More
              <ChevronDown aria-hidden className="size-3.5" />
            </Button>
          }
          entries={more}
        />
      )}
      {open?.kind === 'plan' ? <PlanDialog selection={open.selection} onClose={close} /> : null}
      {open?.kind === 'grow' ? (
        <GrowDialog set={set} onClose={close} onPlan={(selection) => setOpen({ kind: 'plan', selection })} />
      ) : null}
      {open?.kind === 'pin' ? <PinDialog group={set.group} onClose={close} /> : null}
      {open?.kind === 'hold' ? <HoldDialog groups={[set.group]} onClose={close} /> : null}
      {open?.kind === 'override' ? <OverrideDialog group={set.group} onClose={close} /> : null}
    </>
  );
}

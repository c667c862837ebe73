'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, client } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Plan, PlanSelection } from '../../client/api-types.ts';
import { useAct } from '../../client/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine, shellWord } from '../../ui/command-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { count, counted } from '../../ui/count.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Note } from '../../ui/note.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { RunFollow } from '../run/run-follow.tsx';
import { planDifference, planWeight } from './plan-difference.ts';
import { PlanSections } from './plan-sections.tsx';
import { readPlan } from './read-plan.ts';
import { useBulkConfirm } from './use-bulk-confirm.tsx';

const groupsInCommandMax = 6;

/**
 * Exactly what will be sent, before it is sent: sets, script, digest. Only a plan with this digest is carried out; if
 * it is no longer the plan, the new one is shown with what changed. Then the run is followed in the same dialog.
 */
export function PlanDialog({
  selection: chosen,
  onClose,
}: {
  readonly selection: PlanSelection;
  readonly onClose: () => void;
}): ReactNode {
  const isReprogram = chosen.reprogram === true;
  const [shownBefore, setShownBefore] = useState<Plan | null>(null);
  const [round, setRound] = useState(0);
  const confirm = useBulkConfirm();
  const act = useAct(isReprogram ? 'sets.reprogram' : 'plan.apply');
  const read = useQuery({
    queryKey: ['shown-plan', chosen, round],
    queryFn: ({ signal }) =>
      readPlan(chosen, (selection) => client.plan.get.query({ ...selection, scriptLimit: 0 }, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const plan = read.data?.plan;
  const selection = read.data?.selection ?? chosen;
  const onError = (error: unknown) => {
    if (faultOf(error).code !== 'digest-stale' || plan === undefined) return;
    setShownBefore(plan);
    confirm.forget();
    setRound((now) => now + 1);
  };
  const apply = useMutation(api.plan.apply.mutationOptions({ onError }));
  const reprogram = useMutation(api.sets.reprogram.mutationOptions({ onError }));
  const sent = isReprogram ? reprogram : apply;
  const title = isReprogram ? 'Write whole sets again' : 'Apply what is pending';

  if (sent.data !== undefined) {
    return (
      <Dialog title={title} onClose={onClose} isWide footer={<Button onClick={onClose}>Close</Button>}>
        <RunFollow id={sent.data.id} />
      </Dialog>
    );
  }
  const weight = plan === undefined ? undefined : planWeight(plan);
  const isHeavy = weight !== undefined && (weight.sets > 1 || weight.destroys);
  const isConfirmed = weight !== undefined && (!isHeavy || confirm.isTyped(weight.sets));
  const send = () => {
    if (plan === undefined || !isConfirmed) return;
    const input = {
      ...selection,
      digest: plan.digest,
      ...confirm.reasonInput,
    };
    if (isReprogram) reprogram.mutate(input);
    else apply.mutate(input);
  };
  const blockedBecause =
    act.blockedBecause ??
    (weight === undefined
      ? 'The plan is on its way'
      : weight.sets === 0
        ? 'There is nothing to send'
        : isConfirmed
          ? undefined
          : `Type ${count(weight.sets)} first`);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isWide
      isBusy={sent.isPending}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {act.isHidden ? null : (
            <Button
              look={weight?.destroys === true ? 'danger' : 'primary'}
              onClick={send}
              blockedBecause={sent.isPending ? 'It is being sent' : blockedBecause}
            >
              {plan === undefined || weight === undefined
                ? 'Send'
                : `Send ${counted(plan.lines, 'line')} to ${counted(weight.sets, 'set')}`}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {sent.error !== null && faultOf(sent.error).code !== 'digest-stale' ? (
          <FaultNote fault={faultOf(sent.error)} what="Nothing was sent" />
        ) : null}
        {plan === undefined ? (
          read.error === null ? (
            <Skeleton lines={5} label="Planning" />
          ) : (
            <FaultNote fault={faultOf(read.error)} what="There is no plan" onRetry={() => void read.refetch()} />
          )
        ) : (
          <>
            <Gone groups={read.data?.gone ?? []} />
            {shownBefore === null ? null : <Difference before={shownBefore} after={plan} />}
            {plan.sets.length === 0 ? (
              <EmptyState title="There is nothing to send">What the model says is already in the kernel.</EmptyState>
            ) : (
              <>
                <Summary plan={plan} selection={selection} />
                <PlanSections key={plan.digest} plan={plan} selection={selection} />
                {isHeavy && weight !== undefined
                  ? confirm.fields(
                      weight.sets,
                      weight.destroys ? 'sets will be written or destroyed' : 'sets will be written',
                    )
                  : null}
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Summary({ plan, selection }: { readonly plan: Plan; readonly selection: PlanSelection }): ReactNode {
  const weight = planWeight(plan);
  const adds = plan.sets.reduce((sum, set) => sum + (set.blocked === undefined ? set.adds : 0), 0);
  const dels = plan.sets.reduce((sum, set) => sum + (set.blocked === undefined ? set.dels : 0), 0);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-base">
        <strong>{counted(plan.lines, 'line')}</strong> to <strong>{counted(weight.sets, 'set')}</strong>:{' '}
        {selection.reprogram === true
          ? `${counted(adds, 'member')} written beside and swapped in, no reader sees a gap`
          : `${count(adds)} added, ${count(dels)} removed`}
        {weight.blocked > 0 ? `; ${counted(weight.blocked, 'set is', 'sets are')} left out` : ''}.
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-3">
        digest <Verbatim text={`${plan.digest.slice(0, 16)}…`} />
        <CopyButton text={plan.digest} what="digest" />
        <span>only exactly this is carried out</span>
        <CommandLine command={commandOf(plan, selection)} />
      </p>
    </div>
  );
}

/** The same act on the command line. */
function commandOf(plan: Plan, selection: PlanSelection): string {
  const verb = selection.reprogram === true ? 'reprogram' : 'apply';
  const groups = selection.groups ?? [];
  const named = groups.slice(0, groupsInCommandMax).map(shellWord).join(' ');
  const which =
    selection.all === true
      ? ' --all'
      : groups.length === 0
        ? ''
        : ` ${named}${groups.length > groupsInCommandMax ? ' …' : ''}`;
  const size = selection.maxelem === undefined ? '' : ` --maxelem ${selection.maxelem}`;
  return `setkeeper ${verb}${which}${size} --digest ${plan.digest}`;
}

function Difference({ before, after }: { readonly before: Plan; readonly after: Plan }): ReactNode {
  const { added, gone, changed } = planDifference(before, after);
  const name = (set: Plan['sets'][number]) => `${set.group ?? set.name}${set.family === null ? '' : ` ${set.family}`}`;
  return (
    <Note isAlert tone="warn" title="Nothing was sent: the plan changed while you looked. This is the new one.">
      <ul className="list-disc pl-4">
        {added.slice(0, 5).map((set) => (
          <li key={`a ${set.name}`}>
            new: {name(set)} +{count(set.adds)} −{count(set.dels)}
          </li>
        ))}
        {gone.slice(0, 5).map((set) => (
          <li key={`g ${set.name}`}>no longer: {name(set)}</li>
        ))}
        {changed.slice(0, 5).map((pair) => (
          <li key={`c ${pair.after.name}`}>
            {name(pair.after)}: +{count(pair.before.adds)} −{count(pair.before.dels)} became +{count(pair.after.adds)} −
            {count(pair.after.dels)}
          </li>
        ))}
        {added.length + gone.length + changed.length === 0 ? (
          <li>the same sets and numbers; members or the model's revision differ</li>
        ) : null}
      </ul>
    </Note>
  );
}

/** Chosen groups that went before they could be planned. */
function Gone({ groups }: { readonly groups: readonly string[] }): ReactNode {
  if (groups.length === 0) return null;
  return (
    <Note
      tone="warn"
      title={`${counted(groups.length, 'chosen group is', 'chosen groups are')} no longer there, and left out`}
    >
      {groups.map(visibleText).join(', ')}
    </Note>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import { useAct } from '../../client/use-act.ts';
import { useStatus } from '../../client/use-status.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { counted } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import { QueryBody, SeenAt } from '../../ui/query-body.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { PlanDialog } from '../plan/plan-dialog.tsx';
import { PlanSections } from '../plan/plan-sections.tsx';

const everything = {};

/** Pending: what would be sent now, set by set and line by line, with its digest. */
export function PendingScreen(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const act = useAct('plan.apply');
  const status = useStatus().data;
  const plan = useQuery(api.plan.get.queryOptions({ scriptLimit: 0 }));
  const hasLines = (plan.data?.lines ?? 0) > 0;
  return (
    <>
      <ScreenHead
        title="Pending"
        lead={
          status?.apply === 'manual'
            ? 'This agent waits for an operator: what stands here is sent when you apply it.'
            : 'This agent applies changes at once. What stands here is on its way, waits for a retry, or cannot be programmed.'
        }
        actions={
          act.isHidden || !hasLines ? null : (
            <Button look="primary" blockedBecause={act.blockedBecause} onClick={() => setOpen(true)}>
              Apply exactly this…
            </Button>
          )
        }
      />
      <Panel
        title={
          plan.data === undefined || plan.data.sets.length === 0
            ? 'Plan'
            : `${counted(plan.data.lines, 'line')} to ${counted(plan.data.sets.length, 'set')}`
        }
        aside={<SeenAt query={plan} />}
      >
        <QueryBody query={plan} what="The plan">
          {(data) =>
            data.sets.length === 0 ? (
              <EmptyState title="Nothing is pending">What the model wants is acknowledged by the kernel.</EmptyState>
            ) : (
              <div className="flex flex-col gap-3">
                <p className="flex flex-wrap items-center gap-2 text-xs text-ink-3">
                  digest <Verbatim text={`${data.digest.slice(0, 16)}…`} />
                  <CopyButton text={data.digest} what="digest" />
                  <CommandLine command={`setkeeper apply --digest ${data.digest}`} />
                </p>
                <PlanSections plan={data} selection={everything} />
              </div>
            )
          }
        </QueryBody>
      </Panel>
      {isOpen ? <PlanDialog selection={everything} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

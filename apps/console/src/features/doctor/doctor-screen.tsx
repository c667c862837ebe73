'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import { useStatus } from '../../client/use-status.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { count, counted } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import { QueryBody, SeenAt } from '../../ui/query-body.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { ProblemRows, worstFirst } from '../overview/problem-rows.tsx';

/** Doctor: every problem that stands, and the most likely mistakes of an installation, checked now. */
export function DoctorScreen(): ReactNode {
  const status = useStatus();
  const checks = useQuery(api.doctor.run.queryOptions(undefined, { staleTime: 0 }));
  return (
    <div className="flex flex-col gap-5">
      <ScreenHead
        title="Doctor"
        lead="Every problem that stands now, worst first, and the likely mistakes of an installation, each checked when this page opens."
        actions={
          <>
            <CommandLine command="setkeeper doctor" />
            <Button
              look="primary"
              blockedBecause={checks.isFetching ? 'It is at work' : undefined}
              onClick={() => void checks.refetch()}
            >
              Check again
            </Button>
          </>
        }
      />
      <div id="problems">
        <Panel
          isFlush
          title={
            status.data === undefined
              ? 'Problems'
              : status.data.problems.length === 0
                ? 'No problem'
                : `Problems: ${count(status.data.problems.length)}`
          }
          aside={<SeenAt query={status} />}
        >
          <QueryBody query={status} what="The problems">
            {(data) =>
              data.problems.length === 0 ? (
                <EmptyState title="Nothing stands" />
              ) : (
                <ProblemRows problems={worstFirst(data.problems)} />
              )
            }
          </QueryBody>
        </Panel>
      </div>
      <Panel
        isFlush
        title={
          checks.data === undefined
            ? 'Checks'
            : `Checks: ${counted(checks.data.filter((check) => !check.ok).length, 'mistake')} of ${count(checks.data.length)}`
        }
        aside={<SeenAt query={checks} />}
      >
        <QueryBody query={checks} what="The checks" lines={6}>
          {(rows) => (
            <ul className="divide-y divide-line">
              {rows
                .toSorted((a, b) => Number(a.ok) - Number(b.ok))
                .map((check) => (
                  <li key={check.check} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
                    <span className="w-20">
                      <StateMark tone={check.ok ? 'ok' : 'bad'} sign={check.ok ? 'good' : 'bad'}>
                        {check.ok ? 'right' : 'wrong'}
                      </StateMark>
                    </span>
                    <div className="min-w-0 flex-1 basis-72">
                      <p className="font-semibold">{visibleText(check.check)}</p>
                      <p className="break-words text-ink-2">{visibleText(check.detail)}</p>
                      {check.remedy === undefined ? null : <p className="break-words">{visibleText(check.remedy)}</p>}
                    </div>
                  </li>
                ))}
            </ul>
          )}
        </QueryBody>
      </Panel>
    </div>
  );
}

'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import type { Problem } from '../../client/api-types.ts';
import { useStatus } from '../../client/use-status.ts';
import { Button } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { count, counted } from '../../ui/count.ts';
import { FilteredEmpty } from '../../ui/empty-state.tsx';
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
            {(data) => <AllProblems problems={data.problems} />}
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

const problemsMax = 200;

/** Problems one by one, worst first; of one kind where the address names its code. */
function AllProblems({ problems }: { readonly problems: readonly Problem[] }): ReactNode {
  const [code, setCode] = useQueryState('code', parseAsString);
  const shown = worstFirst(code === null ? problems : problems.filter((problem) => problem.code === code));
  if (problems.length === 0) {
    return (
      <p className="px-4 py-3">
        <StateMark tone="ok" sign="good">
          <span className="whitespace-normal">Nothing that the agent watches is wrong now.</span>
        </StateMark>
      </p>
    );
  }
  if (shown.length === 0) return <FilteredEmpty noun="problems" onClear={() => void setCode(null)} />;
  return (
    <>
      {code === null ? null : (
        <p className="border-b border-line px-4 py-2">
          <Button isSmall onClick={() => void setCode(null)}>
            only {code} ×
          </Button>
        </p>
      )}
      <ProblemRows kinds={shown.slice(0, problemsMax).map((first) => ({ first, more: 0 }))} />
      {shown.length > problemsMax ? (
        <p className="border-t border-line px-4 py-2 text-ink-2">
          and {count(shown.length - problemsMax)} more; <CommandLine command="setkeeper status --json" /> lists all
        </p>
      ) : null}
    </>
  );
}

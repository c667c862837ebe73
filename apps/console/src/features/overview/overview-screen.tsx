'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { faultOf } from '../../client/api-fault.ts';
import { useStatus } from '../../client/use-status.ts';
import { Ago, At } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { CommandLine } from '../../ui/command-line.tsx';
import { count, counted } from '../../ui/count.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { State, sourceWords } from '../../words/state-words.tsx';
import { FourAnswers } from './four-answers.tsx';
import { HeadlineText } from './headline.tsx';
import { byKind, ProblemRows } from './problem-rows.tsx';

const ChartsPanel = dynamic(() => import('../charts/charts-panel.tsx').then((module) => module.ChartsPanel), {
  ssr: false,
  loading: () => <Skeleton lines={5} label="Drawing the charts" />,
});

const rowsMax = 5;

/** Overview: one sentence, then what is wrong, then the four answers; charts and facts below. */
export function OverviewScreen(): ReactNode {
  const { data: status, error, refetch } = useStatus();
  if (status === undefined) {
    if (error === null) return <Skeleton lines={6} label="Asking the agent" />;
    return (
      <FaultNote fault={faultOf(error)} what="The agent's status could not be read" onRetry={() => void refetch()} />
    );
  }
  const { problems } = status;
  const kinds = byKind(problems);
  return (
    <div className="flex flex-col gap-5">
      <section aria-label="State of this host" aria-live="polite" className="pt-2">
        <HeadlineText status={status}>
          seen <Ago at={status.at} />
          {' · kernel read '}
          <Ago at={status.readAt} never="never" />
          {` · ${status.mode === 'observe' ? 'observing, nothing is written' : `changes are applied ${status.apply === 'auto' ? 'at once' : 'by hand'}`}`}
        </HeadlineText>
      </section>
      {problems.length === 0 ? null : (
        <Panel
          isFlush
          title={counted(problems.length, 'problem')}
          aside={
            problems.length > rowsMax ? (
              <AppLink href="/doctor/#problems" className="link">
                all {count(problems.length)}, worst first
              </AppLink>
            ) : undefined
          }
        >
          <ProblemRows kinds={kinds.slice(0, rowsMax)} />
        </Panel>
      )}
      {status.mode === 'observe' ? (
        <ObservedPanel />
      ) : (
        <>
          {status.sets.total === 0 ? <FirstSteps /> : null}
          <FourAnswers status={status} />
          <ChartsPanel />
        </>
      )}
      <div className="grid gap-5 lg:grid-cols-2">
        <Panel
          title="Sources"
          aside={
            <AppLink href="/sources/" className="link">
              all about sources
            </AppLink>
          }
        >
          {status.sources.length === 0 ? (
            <p className="text-ink-2">This agent has no source: it only observes.</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {status.sources.map((source) => (
                <li key={source.name} className="flex flex-wrap items-center gap-x-3">
                  <State words={sourceWords} word={source.state} />
                  <Verbatim text={source.name} wraps />
                  <span className="text-ink-3">
                    {source.kind}, {counted(source.objects, 'object')}
                    {source.problems.length > 0 ? `, ${counted(source.problems.length, 'fault')}` : ''}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Panel>
        <Panel
          title="This host"
          aside={
            <AppLink href="/doctor/" className={buttonClass('quiet', true)}>
              Run the doctor
            </AppLink>
          }
        >
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
            <Fact name="ipset">{`${status.kernel.ipset ?? 'not found'}${status.kernel.protocol === null ? '' : `, protocol ${status.kernel.protocol}`}`}</Fact>
            <Fact name="kernel">{status.kernel.release ?? 'not known'}</Fact>
            <Fact name="set types">
              {status.kernel.types.length === 0 ? 'not known' : status.kernel.types.join(', ')}
            </Fact>
            <Fact name="namespace">
              <Verbatim text={status.kernel.namespace} wraps />
            </Fact>
            <Fact name="prefix">
              <Verbatim text={status.prefix} />
            </Fact>
            <Fact name="agent">
              {`Setkeeper ${status.version}, started `}
              <At at={status.startedAt} />
            </Fact>
          </dl>
        </Panel>
      </div>
    </div>
  );
}

/** The next step of a host whose model asks for nothing yet. */
function FirstSteps(): ReactNode {
  return (
    <Panel title="Where to begin">
      <ul className="flex flex-col gap-1">
        <li>
          Put a document into{' '}
          <AppLink className="link" href="/sources/">
            a source
          </AppLink>
          : what it names becomes sets
        </li>
        <li>
          Turn sets that are there into documents: <CommandLine command="ipset save | setkeeper import -" />
        </li>
        <li>
          See{' '}
          <AppLink className="link" href="/kernel/">
            every set of this host
          </AppLink>
          , whoever made it
        </li>
      </ul>
    </Panel>
  );
}

/** What there is to see of a host that is only observed. */
function ObservedPanel(): ReactNode {
  return (
    <Panel title="What there is to see">
      <ul className="flex flex-col gap-1">
        <li>
          <AppLink className="link" href="/kernel/">
            Every set of this host
          </AppLink>
          , whoever made it, with its size and memory
        </li>
        <li>
          <AppLink className="link" href="/references/">
            Which rules and lists use each set
          </AppLink>
          , and references that nothing explains
        </li>
        <li>
          <AppLink className="link" href="/find/">
            In which sets an address is
          </AppLink>
        </li>
      </ul>
    </Panel>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  );
}

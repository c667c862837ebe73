'use client';

import type { ReactNode } from 'react';
import type { Status } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { count, counted } from '../../ui/count.ts';
import { StateMark } from '../../ui/state-mark.tsx';
import { runHref } from '../../words/addresses.ts';
import { Pending } from '../../words/pending.tsx';
import { runWords, State } from '../../words/state-words.tsx';

/** What is wanted, what is there, how the last attempt went, what holds it: four answers, never one light. */
export function FourAnswers({ status }: { readonly status: Status }): ReactNode {
  const { sets, lastRun } = status;
  const notCurrent = status.sources.filter((source) => source.state !== 'current');
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 xl:grid-cols-4">
      <Answer question="What is wanted" figure={count(sets.total)} unit={sets.total === 1 ? 'set' : 'sets'}>
        <Line>{`${count(status.members.inet)} IPv4 and ${count(status.members.inet6)} IPv6 members`}</Line>
        <Line>
          {notCurrent.length === 0 ? (
            <StateMark tone="ok" sign="good">
              {counted(status.sources.length, 'source')} current
            </StateMark>
          ) : (
            <AppLink href="/sources/" className="hit-line">
              <StateMark tone="warn" sign="waiting">
                {notCurrent.map((source) => `${source.name} ${source.state}`).join(', ')}
              </StateMark>
            </AppLink>
          )}
        </Line>
      </Answer>
      <Answer question="What is there" figure={count(sets.inSync)} unit={`of ${count(sets.total)} in sync`}>
        <Line>
          <Figures
            figures={[
              { value: sets.drifted, word: 'drifted', tone: 'bad', state: 'drifted' },
              { value: sets.failed, word: 'failed', tone: 'bad', state: 'failed' },
              { value: sets.unknown, word: 'unknown', tone: 'unsure', state: 'unknown' },
              { value: sets.dirty, word: 'dirty', tone: 'warn', state: 'dirty' },
            ]}
          />
        </Line>
        <Line>
          {status.pending.sets > 0 ? (
            <AppLink href="/pending/" className="link hit-line">
              pending <Pending adds={status.pending.adds} dels={status.pending.dels} />
            </AppLink>
          ) : (
            'nothing pending'
          )}
          {' · kernel read '}
          <Ago at={status.readAt} never="never" />
        </Line>
      </Answer>
      <Answer
        question="How the last attempt went"
        figure={lastRun === null ? '–' : <State words={runWords} word={lastRun.phase} />}
        unit=""
      >
        {lastRun === null ? (
          <Line>Nothing has been programmed yet.</Line>
        ) : (
          <>
            <Line>
              {`${count(lastRun.operations.applied)} applied`}
              {lastRun.operations.rejected > 0 ? `, ${count(lastRun.operations.rejected)} rejected` : ''}
              {lastRun.operations.skipped > 0 ? `, ${count(lastRun.operations.skipped)} skipped` : ''}
              {` in ${counted(lastRun.sets, 'set')}`}
            </Line>
            <Line>
              <AppLink href={runHref(lastRun.id)} className="link hit-line">
                {lastRun.cause} by {lastRun.actor}
              </AppLink>{' '}
              <Ago at={lastRun.at} />
            </Line>
          </>
        )}
      </Answer>
      <Answer question="What holds it" figure={count(sets.total - sets.unused)} unit="sets used by rules or lists">
        <Line>
          {sets.unused > 0 ? (
            <AppLink href="/sets/?state=unused" className="link hit-line">
              {count(sets.unused)} used by nothing
            </AppLink>
          ) : sets.total === 0 ? null : (
            'every set is used'
          )}
        </Line>
        <Line>
          <Figures
            figures={[
              { value: status.leaks, word: status.leaks === 1 ? 'leak' : 'leaks', tone: 'bad', href: '/references/' },
              {
                value: status.leftovers,
                word: status.leftovers === 1 ? 'leftover' : 'leftovers',
                tone: 'warn',
                href: '/leftovers/',
              },
            ]}
            none="no leaks, no leftovers"
          />
        </Line>
      </Answer>
    </dl>
  );
}

function Answer({
  question,
  figure,
  unit,
  children,
}: {
  readonly question: string;
  readonly figure: ReactNode;
  readonly unit: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="bg-surface px-4 py-3">
      <dt className="text-xs font-medium text-ink-3">{question}</dt>
      <dd className="mt-1">
        <div className="flex items-baseline gap-1.5">
          <span className="text-xl font-semibold tracking-tight">{figure}</span>
          <span className="text-ink-2">{unit}</span>
        </div>
        <div className="mt-1 flex flex-col gap-0.5 text-xs text-ink-2">{children}</div>
      </dd>
    </div>
  );
}

function Line({ children }: { readonly children: ReactNode }): ReactNode {
  return <div>{children}</div>;
}

function Figures({
  figures,
  none = 'nothing wrong',
}: {
  readonly figures: readonly {
    readonly value: number;
    readonly word: string;
    readonly tone: 'bad' | 'warn' | 'unsure';
    readonly state?: string;
    readonly href?: string;
  }[];
  readonly none?: string;
}): ReactNode {
  const shown = figures.filter((figure) => figure.value > 0);
  if (shown.length === 0) return none;
  return (
    <span className="flex flex-wrap gap-x-3">
      {shown.map((figure) => (
        <AppLink
          key={figure.word}
          href={figure.href ?? `/sets/?state=${figure.state ?? ''}`}
          className="hit-line hover:underline"
        >
          <StateMark
            tone={figure.tone}
            sign={figure.tone === 'bad' ? 'bad' : figure.tone === 'unsure' ? 'unknown' : 'warning'}
          >
            {count(figure.value)} {figure.word}
          </StateMark>
        </AppLink>
      ))}
    </span>
  );
}

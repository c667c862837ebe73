import type { ReactNode } from 'react';
import type { SetDetail } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { CapacityBar } from '../../ui/capacity-bar.tsx';
import { count } from '../../ui/count.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { Pending } from '../../words/pending.tsx';
import { phaseWords, resultWords, State, syncWords, useWords } from '../../words/state-words.tsx';

/** The separate answers about one set, each with what it means. */
export function AxisStrip({ set }: { readonly set: SetDetail }): ReactNode {
  return (
    <dl className="grid gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-2 lg:grid-cols-3 2xl:grid-cols-6">
      <Axis
        name="Sync"
        value={<State words={syncWords} word={set.sync} />}
        means={set.syncCause ?? syncWords[set.sync].means}
      >
        {set.pending.adds + set.pending.dels === 0 ? (
          'nothing'
        ) : (
          <Pending adds={set.pending.adds} dels={set.pending.dels} />
        )}{' '}
        pending
        {set.parked > 0 ? `, ${count(set.parked)} parked` : ''}
        {set.overCapacity > 0 ? `, ${count(set.overCapacity)} over capacity` : ''}
        {set.drifted > 0 ? `, ${count(set.drifted)} drifted` : ''}
      </Axis>
      <Axis name="Members" value={count(set.desired)} means="Desired: what the model asks for.">
        {set.programmed === null ? '?' : count(set.programmed)} programmed,{' '}
        {set.kernel === null ? '?' : count(set.kernel)} in the kernel, read <Ago at={set.readAt} never="never" />
      </Axis>
      <Axis name="Phase" value={<State words={phaseWords} word={set.phase} />} means={phaseWords[set.phase].means}>
        changed <Ago at={set.changedAt} never="never" />
      </Axis>
      <Axis
        name="Last result"
        value={<State words={resultWords} word={set.lastResult} />}
        means={set.error ?? resultWords[set.lastResult].means}
      >
        {set.lastRun === null ? (
          'no run yet'
        ) : (
          <AppLink className="link" href={runHref(set.lastRun)}>
            run {set.lastRun}
          </AppLink>
        )}
      </Axis>
      <Axis
        name="Use"
        value={
          <State words={useWords} word={set.use}>
            {set.use === 'used' ? `used by ${count(set.usedBy)}` : set.use}
          </State>
        }
        means={useWords[set.use].means}
      >
        {count(set.references.length)} named, {set.kernelReferences === null ? '?' : count(set.kernelReferences)}{' '}
        counted by the kernel
      </Axis>
      <Axis
        name="Capacity"
        value={<CapacityBar members={set.programmed} maxelem={set.maxelem} />}
        means={set.maxelem === null ? 'A list has no maxelem of members.' : `maxelem ${count(set.maxelem)}`}
      >
        {count(set.parked)} parked, {count(set.overCapacity)} without room
      </Axis>
    </dl>
  );
}

function Axis({
  name,
  value,
  means,
  children,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly means: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="bg-surface px-4 py-2.5">
      <dt className="text-xs font-medium text-ink-3">{name}</dt>
      <dd>
        <div className="mt-0.5 flex min-h-6 items-center text-base font-semibold">{value}</div>
        <p className="mt-0.5 text-xs break-words text-ink-2">{visibleText(means)}</p>
        <p className="mt-0.5 text-xs text-ink-3">{children}</p>
      </dd>
    </div>
  );
}

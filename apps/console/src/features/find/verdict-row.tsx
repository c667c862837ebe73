'use client';

import { type ReactNode, useState } from 'react';
import type { ExplainSet } from '../../client/api-types.ts';
import { useAct } from '../../client/use-act.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { GroupLink } from '../../words/group-link.tsx';
import { OwnersWords } from '../../words/owner-words.tsx';
import { OverrideDialog } from '../overrides/override-dialog.tsx';

/** One set's verdict on an address: in or not, then why, since when, through which run and line, and who uses the set. */
export function VerdictRow({ set, address }: { readonly set: ExplainSet; readonly address: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const act = useAct('overrides.add');
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-base font-medium break-words">
          {set.matched ? (
            <StateMark tone="ok" sign="good">
              in
            </StateMark>
          ) : (
            <StateMark tone={set.excluded ? 'warn' : 'quiet'} sign={set.excluded ? 'stopped' : 'none'}>
              {set.excluded ? 'excluded' : 'not in'}
            </StateMark>
          )}{' '}
          {visibleText(set.verdict)}
        </p>
        {set.group === undefined || !set.matched || act.isHidden ? null : (
          <Button isSmall blockedBecause={act.blockedBecause} onClick={() => setOpen(true)}>
            Exclude for a time…
          </Button>
        )}
      </div>
      <dl className="mt-1.5 grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-ink-2">
        <Fact name="set">
          {set.group === undefined ? null : (
            <>
              <GroupLink group={set.group} family={set.family} />{' '}
            </>
          )}
          <Verbatim text={set.name} wraps /> {set.type}
          {set.foreign ? ` · foreign${set.byName === undefined ? '' : `, ${set.byName} by its name`}` : ''}
        </Fact>
        {set.by.length === 0 ? null : (
          <Fact name="by">
            <Verbatim text={set.by.join('  ')} wraps />
            {set.via.length === 0 ? '' : ` through ${set.via.map(visibleText).join(' → ')}`}
          </Fact>
        )}
        {set.owners.length === 0 ? null : (
          <Fact name="owners">
            <OwnersWords owners={set.owners} max={4} />
          </Fact>
        )}
        {set.since === null ? null : (
          <Fact name="since">
            <Ago at={set.since} />
            {set.event === null ? '' : ` · ${visibleText(set.event)}`}
            {set.run === null ? null : (
              <>
                {' · '}
                <AppLink className="link" href={set.line === null ? runHref(set.run) : runHref(set.run, set.line)}>
                  run {set.run}
                  {set.line === null ? '' : `, line ${set.line}`}
                </AppLink>
              </>
            )}
          </Fact>
        )}
        {set.usedBy.length === 0 ? null : <Fact name="used by">{set.usedBy.map(visibleText).join('; ')}</Fact>}
        {set.inKernel === null || set.inKernel === set.desired || set.foreign ? null : (
          <Fact name="but">
            <strong className="text-warn">
              {set.desired
                ? 'the model wants it, and the kernel does not have it'
                : 'the kernel has it, and the model does not want it'}
            </strong>
          </Fact>
        )}
      </dl>
      {isOpen && set.group !== undefined ? (
        <OverrideDialog group={set.group} address={address} onClose={() => setOpen(false)} />
      ) : null}
    </li>
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

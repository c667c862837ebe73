'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { Explanation } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CommandLine, shellWord } from '../../ui/command-line.tsx';
import { counted } from '../../ui/count.ts';
import { FaultNote } from '../../ui/fault-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { screenHref } from '../../words/addresses.ts';
import { GroupLinks } from '../../words/group-link.tsx';
import { joinedAnswers } from './joined-answers.ts';
import { VerdictRow } from './verdict-row.tsx';

/** Find an address: a verdict per set of the host, ours and foreign, and why. */
export function FindScreen(): ReactNode {
  const [asked, setAsked] = useQueryState('q', parseAsString.withDefault(''));
  const [group, setGroup] = useQueryState('group', parseAsString.withDefault(''));
  const isAsked = asked.length > 1;
  const answer = useQuery(api.explain.address.queryOptions({ address: asked }, { enabled: isAsked }));
  const ofGroup = useQuery(
    api.explain.address.queryOptions({ address: asked, group }, { enabled: isAsked && group !== '' }),
  );
  const error = answer.error ?? ofGroup.error;
  return (
    <div className="flex flex-col gap-4">
      <h1 className="text-xl font-semibold tracking-tight">Find an address</h1>
      <FindForm
        key={`${asked} ${group}`}
        asked={asked}
        group={group}
        onAsk={(address, inGroup) => {
          void setAsked(address === '' ? null : address);
          void setGroup(inGroup === '' ? null : inGroup);
        }}
      />
      <div aria-live="polite" className="flex flex-col gap-4">
        {asked === '' ? (
          <p className="max-w-[70ch] text-ink-2">
            Give an IPv4 or IPv6 address. Every readable set of this host is asked, decided as the kernel decides: the
            longest prefix over nets and exceptions, and lists through their members. Name a group too, and it says why
            the address is not in it.
          </p>
        ) : answer.data !== undefined && (group === '' || ofGroup.data !== undefined) ? (
          <Answer answer={joinedAnswers(answer.data, ofGroup.data)} group={group} />
        ) : error !== null ? (
          <FaultNote
            fault={faultOf(error)}
            what={`${asked} could not be looked up`}
            onRetry={() => {
              void answer.refetch();
              if (group !== '') void ofGroup.refetch();
            }}
          />
        ) : (
          <Skeleton lines={5} label={`Looking for ${asked}`} />
        )}
      </div>
    </div>
  );
}

function FindForm({
  asked,
  group,
  onAsk,
}: {
  readonly asked: string;
  readonly group: string;
  readonly onAsk: (address: string, group: string) => void;
}): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  const [address, setAddress] = useState(asked);
  const [inGroup, setInGroup] = useState(group);
  useEffect(() => {
    const box = form.current?.querySelector('input');
    box?.focus();
    box?.select();
  }, []);
  return (
    <form
      ref={form}
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(address.trim(), inGroup.trim());
      }}
    >
      <TextField
        label="Address"
        placeholder="203.0.113.9"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        data-main-search=""
        isMono
        className="w-full sm:w-80"
      />
      <TextField
        label="Group, if the question is why not"
        placeholder="tag:web"
        value={inGroup}
        onChange={(event) => setInGroup(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        isMono
        className="w-full sm:w-64"
      />
      <Button type="submit" look="primary">
        Find
      </Button>
    </form>
  );
}

function Answer({ answer, group }: { readonly answer: Explanation; readonly group: string }): ReactNode {
  const matched = answer.sets.filter((set) => set.matched);
  const others = answer.sets.filter((set) => !set.matched);
  return (
    <>
      <h2 className="text-lg font-semibold break-words">
        <Verbatim text={answer.address} />{' '}
        {matched.length === 0
          ? 'is in no set of this host that could be read'
          : `is in ${counted(matched.length, 'set')}`}
        {answer.unreadable.length > 0 ? `; ${counted(answer.unreadable.length, 'set')} could not be read` : ''}
      </h2>
      {answer.why.length === 0 ? null : (
        <Note tone="quiet" title="Why">
          {answer.why.map((why) => (
            <p key={why}>{visibleText(why)}</p>
          ))}
        </Note>
      )}
      {others.length + matched.length === 0 ? null : (
        <Panel isFlush>
          <ul className="divide-y divide-line">
            {(group === '' ? [...matched, ...others] : [...others, ...matched]).map((set) => (
              <VerdictRow key={`${set.name} ${set.family}`} set={set} address={answer.address} />
            ))}
          </ul>
        </Panel>
      )}
      {answer.endpoints.length === 0 ? null : (
        <Panel title="Endpoints with this address">
          <ul className="flex flex-col gap-2">
            {answer.endpoints.map((endpoint) => (
              <li key={endpoint.id}>
                <AppLink className="link" href={screenHref('/endpoints/', { id: endpoint.id })}>
                  <Verbatim text={endpoint.id} wraps />
                </AppLink>
                {endpoint.active ? '' : ' (not active, owns nothing)'} <GroupLinks groups={endpoint.groups} max={12} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {answer.unreadable.length === 0 ? null : (
        <Note tone="unsure" title="These sets could not be read; nothing is said about them">
          <ul>
            {answer.unreadable.map((set) => (
              <li key={set.name}>
                <Verbatim text={set.name} />: {visibleText(set.why)}
              </li>
            ))}
          </ul>
        </Note>
      )}
      <p className="text-xs text-ink-3">
        the same:{' '}
        <CommandLine
          command={`setkeeper explain ${shellWord(answer.address)}${group === '' ? '' : ` ${shellWord(group)}`}`}
        />
      </p>
    </>
  );
}

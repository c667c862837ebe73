'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import { type ReactNode, useEffect } from 'react';
import { api } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { SetDetail } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { CommandLine, shellWord } from '../../ui/command-line.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { NotThere } from '../../ui/not-there.tsx';
import { Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useWord } from '../../ui/table/use-list-state.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { modelHref } from '../../words/addresses.ts';
import { AxisStrip } from './axis-strip.tsx';
import { HeldNote } from './held-note.tsx';
import { HistoryTab } from './history-tab.tsx';
import { KernelTab } from './kernel-tab.tsx';
import { MembersTab } from './members-tab.tsx';
import { PendingTab } from './pending-tab.tsx';
import { ReferencesTab } from './references-tab.tsx';
import { SetActions } from './set-actions.tsx';

const allSets = { href: '/sets/', label: 'All sets' };
const tabs = ['members', 'pending', 'references', 'history', 'kernel'] as const;

/** One group's sets: both families behind one address, a tab for each question. */
export function SetScreen(): ReactNode {
  const [group] = useQueryState('group', parseAsString.withDefault(''));
  const [family, setFamily] = useQueryState('family', parseAsString);
  const sets = useQuery(api.sets.get.queryOptions({ group }, { enabled: group !== '' }));
  useEffect(() => {
    if (group !== '') document.title = `${visibleText(group)} · Setkeeper`;
  }, [group]);
  if (group === '') {
    return (
      <NotThere name="Set" title="No group is named" list={allSets}>
        The address needs a group: <code>/set/?group=tag:web</code>
      </NotThere>
    );
  }
  const fault = sets.error === null ? undefined : faultOf(sets.error);
  if (sets.data === undefined && fault?.code !== 'not-found') {
    if (fault === undefined) return <Skeleton lines={8} label="Reading the set" />;
    return (
      <>
        <ScreenHead title={visibleText(group)} />
        <FaultNote fault={fault} what={`${visibleText(group)} could not be read`} onRetry={() => void sets.refetch()} />
      </>
    );
  }
  const set = sets.data?.find((one) => one.family === family) ?? sets.data?.[0];
  if (sets.data === undefined || set === undefined) {
    return (
      <NotThere name={visibleText(group)} title={`There is no set for ${visibleText(group)}`} list={allSets}>
        The group is not in the model, or nothing references it.
      </NotThere>
    );
  }
  return <SetBody set={set} siblings={sets.data} onFamily={(next) => void setFamily(next)} />;
}

function SetBody({
  set,
  siblings,
  onFamily,
}: {
  readonly set: SetDetail;
  readonly siblings: readonly SetDetail[];
  readonly onFamily: (family: string) => void;
}): ReactNode {
  const [chosen, setTab] = useWord('tab', tabs);
  const tab = chosen ?? 'members';
  const pending = set.pending.adds + set.pending.dels + set.parked + set.overCapacity;
  return (
    <div className="flex flex-col gap-4">
      <ScreenHead
        title={<Verbatim text={set.group} wraps className="!font-sans !text-[1em]" />}
        actions={<SetActions set={set} />}
      >
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ink-2">
          {siblings.length > 1 ? (
            <Segmented
              label="Family"
              value={set.family ?? 'inet'}
              choices={siblings.map((one) => ({
                value: one.family ?? 'inet',
                label: `${one.family ?? 'list'}${one.sync === 'in-sync' ? '' : ` · ${one.sync}`}`,
              }))}
              onChange={onFamily}
            />
          ) : null}
          <span className="inline-flex items-center gap-1">
            <Verbatim text={set.name} /> <CopyButton text={set.name} what="kernel name" />
          </span>
          <Verbatim text={set.type} />
          {set.defined ? (
            <AppLink className="link" href={modelHref(set.group)}>
              In the model
            </AppLink>
          ) : null}
          <CopyButton text={() => window.location.href} what="permalink" label="Permalink" />
          <CommandLine
            command={`setkeeper set ${shellWord(set.group)}${set.family === null ? '' : ` --family ${set.family}`}`}
          />
        </p>
      </ScreenHead>
      {set.onHold ? (
        <Note
          tone="warn"
          title="On hold: nothing of it is programmed or repaired"
          action={
            <AppLink className="link" href="/holds/">
              See the hold
            </AppLink>
          }
        >
          Read-back goes on, so drift is still seen.
        </Note>
      ) : null}
      {set.blocked === 'held' ? <HeldNote set={set} /> : null}
      {set.error === undefined ? null : (
        <Note tone="bad" title={<Verbatim text={set.error} wraps />}>
          {set.blockedDetail === undefined
            ? 'The kernel said this to the last attempt.'
            : visibleText(set.blockedDetail)}
        </Note>
      )}
      {set.defined ? null : (
        <Note tone="warn" title="Nothing in the model defines this group">
          {(set.programmed ?? 0) === 0
            ? 'It is programmed empty, because rules that name it must load. Is its name misspelt?'
            : 'The kernel still has members of it: a used set is not emptied because its group is gone. See what is held.'}
        </Note>
      )}
      <AxisStrip set={set} />
      <Tabs
        label="About this set"
        open={tab}
        onOpen={(next) => setTab(next === 'members' ? null : next)}
        tabs={[
          { id: 'members', label: 'Members', count: set.desired },
          { id: 'pending', label: 'Pending', count: pending, isBad: set.parked > 0 },
          {
            id: 'references',
            label: 'References',
            count: set.referenceDetails.length,
            isBad: (set.unexplained ?? 0) > 0,
          },
          { id: 'history', label: 'History' },
          { id: 'kernel', label: 'Kernel', isBad: set.drifted > 0, ...(set.drifted > 0 ? { count: set.drifted } : {}) },
        ]}
      >
        {tab === 'members' ? <MembersTab set={set} /> : null}
        {tab === 'pending' ? <PendingTab set={set} /> : null}
        {tab === 'references' ? <ReferencesTab set={set} /> : null}
        {tab === 'history' ? <HistoryTab set={set} /> : null}
        {tab === 'kernel' ? <KernelTab set={set} /> : null}
      </Tabs>
    </div>
  );
}

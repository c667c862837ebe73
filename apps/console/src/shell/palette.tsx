'use client';

import { useQuery } from '@tanstack/react-query';
import { Command } from 'cmdk';
import { useRouter } from 'next/navigation';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { api } from '../client/api.ts';
import { setPaused } from '../client/live-store.ts';
import { useStatus } from '../client/use-status.ts';
import { Dialog } from '../ui/dialog.tsx';
import { keepHost } from '../ui/keep-host.ts';
import { visibleText } from '../ui/visible-text.ts';
import { findHref, runHref, setHref } from '../words/addresses.ts';
import { allScreens } from './screens.ts';

const looksLikeAddress = /^[0-9a-f.:]{3,45}(?:\/\d{1,3})?$/iu;
const groupsMax = 8;
const runsMax = 5;

/** Goes anywhere by typing: an address, a set, a run, a screen, an act. */
export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }): ReactNode {
  const [text, setText] = useState('');
  const asked = useDeferredValue(text.trim());
  const router = useRouter();
  const status = useStatus().data;
  const sets = useQuery(
    api.sets.list.queryOptions(
      { filter: asked, limit: groupsMax },
      { enabled: asked.length > 0 && status?.mode !== 'observe' },
    ),
  );
  const runs = useQuery(api.runs.list.queryOptions({ filter: asked, limit: runsMax }, { enabled: asked.length > 2 }));
  const go = (href: string) => {
    onClose();
    router.push(keepHost(href));
  };
  const screens = allScreens.filter(
    (screen) =>
      (status === undefined || (screen.isThere?.(status) ?? true)) &&
      screen.label.toLowerCase().includes(asked.toLowerCase()),
  );
  return (
    <Dialog title="Find or go to" onClose={onClose}>
      <Command shouldFilter={false} label="Find or go to" className="-m-1">
        <Command.Input
          data-autofocus=""
          value={text}
          onValueChange={setText}
          placeholder="An address, a set, a run, a screen"
          className="h-9 w-full rounded-md border border-line-strong bg-surface px-3 text-base placeholder:text-ink-3"
        />
        <Command.List className="mt-2 max-h-[50dvh] overflow-y-auto">
          <Command.Empty className="px-3 py-6 text-center text-ink-2">Nothing by this name.</Command.Empty>
          {looksLikeAddress.test(asked) ? (
            <Group heading="Address">
              <Item
                value={`find ${asked}`}
                onSelect={() => go(findHref(asked))}
                hint="why it is, or is not, in each set"
              >
                Find {asked}
              </Item>
            </Group>
          ) : null}
          {(sets.data?.items.length ?? 0) > 0 ? (
            <Group heading="Sets">
              {sets.data?.items.map((set) => (
                <Item
                  key={`${set.group} ${set.family}`}
                  value={`set ${set.group} ${set.family}`}
                  onSelect={() => go(setHref(set.group, set.family))}
                  hint={`${set.family ?? 'list'} · ${set.sync}`}
                >
                  {visibleText(set.group)}
                </Item>
              ))}
            </Group>
          ) : null}
          {(runs.data?.items.length ?? 0) > 0 ? (
            <Group heading="Runs">
              {runs.data?.items.map((run) => (
                <Item
                  key={run.id}
                  value={`run ${run.id}`}
                  onSelect={() => go(runHref(run.id))}
                  hint={`${run.cause} · ${run.phase}`}
                >
                  {run.id}
                </Item>
              ))}
            </Group>
          ) : null}
          {screens.length > 0 ? (
            <Group heading="Screens">
              {screens.map((screen) => (
                <Item
                  key={screen.id}
                  value={`screen ${screen.id}`}
                  onSelect={() => go(screen.href)}
                  hint={`g ${screen.key}`}
                >
                  {screen.label}
                </Item>
              ))}
            </Group>
          ) : null}
          {asked === '' ? (
            <Group heading="Acts">
              <Item value="act failed" onSelect={() => go('/runs/?failed=true')}>
                Runs that did not succeed
              </Item>
              <Item value="act wrong" onSelect={() => go('/sets/?state=dirty')}>
                Sets that are not what the model says
              </Item>
              <Item
                value="act pause"
                onSelect={() => {
                  setPaused(true);
                  onClose();
                }}
              >
                Pause every list
              </Item>
              <Item value="act help" onSelect={onHelp} hint="?">
                Keys and help
              </Item>
            </Group>
          ) : null}
        </Command.List>
      </Command>
    </Dialog>
  );
}

function Group({ heading, children }: { readonly heading: string; readonly children: ReactNode }): ReactNode {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-ink-3"
    >
      {children}
    </Command.Group>
  );
}

function Item({
  value,
  onSelect,
  hint,
  children,
}: {
  readonly value: string;
  readonly onSelect: () => void;
  readonly hint?: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded-md px-3 py-1 data-[selected=true]:bg-accent-tint"
    >
      <span className="min-w-0 truncate">{children}</span>
      {hint === undefined ? null : <span className="shrink-0 text-xs text-ink-3">{hint}</span>}
    </Command.Item>
  );
}

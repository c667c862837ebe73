'use client';

import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useId, useState } from 'react';
import { api } from '../client/api.ts';
import { setPaused } from '../client/live-store.ts';
import { useStatus } from '../client/use-status.ts';
import { Dialog } from '../ui/dialog.tsx';
import { keepHost } from '../ui/keep-host.ts';
import { visibleText } from '../ui/visible-text.ts';
import { findHref, runHref, setHref } from '../words/addresses.ts';
import { nearestSets } from './nearest-sets.ts';
import { allScreens } from './screens.ts';

const looksLikeAddress = /^[0-9a-f.:]{3,45}(?:\/\d{1,3})?$/iu;
const setsMax = 8;
/** So many are looked at for those that are meant: the list comes in the order of its names. */
const setsAsked = 100;
const runsMax = 5;

/** One thing to go to or to do. */
interface Choice {
  readonly id: string;
  readonly group: 'Address' | 'Sets' | 'Runs' | 'Screens' | 'Acts';
  readonly label: string;
  readonly hint?: string;
  readonly go: () => void;
}

/** Goes anywhere by typing: an address, a set, a run, a screen, an act. Part of the first screen, so that no key is lost. */
export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }): ReactNode {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const choices = useChoices(text.trim(), { onClose, onHelp });
  const chosen = Math.min(at, choices.length - 1);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, chosen]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && choices.length > 0) setAt((chosen + step + choices.length) % choices.length);
    else if (event.key === 'Enter') choices[chosen]?.go();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Find or go to" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Find or go to"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length === 0 ? undefined : `${id}-${chosen}`}
        data-autofocus=""
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        placeholder="An address, a set, a run, a screen"
        className="h-9 w-full rounded-md border border-line-strong bg-surface px-3 text-base placeholder:text-ink-3"
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="mt-2 max-h-[50dvh] overflow-y-auto">
        {choices.map((choice, index) => (
          <div key={choice.id} role="presentation">
            {choice.group === choices[index - 1]?.group ? null : (
              <div role="presentation" className="px-3 py-1 text-xs text-ink-3">
                {choice.group}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box above handles the keys */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the box above holds the focus and names the chosen one */}
            <div
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={choice.go}
              onPointerMove={() => setAt(index)}
              className={clsx(
                'flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded-md px-3 py-1',
                index === chosen && 'bg-accent-tint',
              )}
            >
              <span className="min-w-0 truncate">{choice.label}</span>
              {choice.hint === undefined ? null : <span className="shrink-0 text-xs text-ink-3">{choice.hint}</span>}
            </div>
          </div>
        ))}
      </div>
      {choices.length === 0 ? <p className="px-3 py-6 text-center text-ink-2">Nothing by this name.</p> : null}
    </Dialog>
  );
}

/** What fits the text: an address first, then sets, runs and screens; without a text screens and acts. */
function useChoices(
  text: string,
  acts: { readonly onClose: () => void; readonly onHelp: () => void },
): readonly Choice[] {
  const asked = useDeferredValue(text);
  const router = useRouter();
  const status = useStatus().data;
  const sets = useQuery(
    api.sets.list.queryOptions(
      { filter: asked, limit: setsAsked },
      { enabled: asked.length > 0 && status?.mode !== 'observe' },
    ),
  );
  const runs = useQuery(api.runs.list.queryOptions({ filter: asked, limit: runsMax }, { enabled: asked.length > 2 }));
  const to = (href: string) => () => {
    acts.onClose();
    router.push(keepHost(href));
  };
  const address: Choice[] = looksLikeAddress.test(text)
    ? [
        {
          id: 'find',
          group: 'Address',
          label: `Find ${text}`,
          hint: 'why it is, or is not, in each set',
          go: to(findHref(text)),
        },
      ]
    : [];
  const screens = allScreens
    .filter(
      (screen) =>
        (status === undefined || (screen.isThere?.(status) ?? true)) &&
        screen.label.toLowerCase().includes(text.toLowerCase()),
    )
    .map(
      (screen): Choice => ({
        id: screen.id,
        group: 'Screens',
        label: screen.label,
        hint: `g ${screen.key}`,
        go: to(screen.href),
      }),
    );
  if (text === '') {
    return [
      ...screens,
      { id: 'failed', group: 'Acts', label: 'Runs that did not succeed', go: to('/runs/?failed=true') },
      { id: 'wrong', group: 'Acts', label: 'Sets that are not what the model says', go: to('/sets/?state=dirty') },
      {
        id: 'pause',
        group: 'Acts',
        label: 'Pause every list',
        go: () => {
          setPaused(true);
          acts.onClose();
        },
      },
      { id: 'help', group: 'Acts', label: 'Keys and help', hint: '?', go: acts.onHelp },
    ];
  }
  return [
    ...address,
    ...nearestSets(sets.data?.items ?? [], asked, setsMax).map(
      (set): Choice => ({
        id: `${set.group} ${set.family}`,
        group: 'Sets',
        label: visibleText(set.group),
        hint: `${set.family ?? 'list'} · ${set.sync}`,
        go: to(setHref(set.group, set.family)),
      }),
    ),
    ...(runs.data?.items ?? []).map(
      (run): Choice => ({
        id: run.id,
        group: 'Runs',
        label: run.id,
        hint: `${run.cause} · ${run.phase}`,
        go: to(runHref(run.id)),
      }),
    ),
    ...screens,
  ];
}

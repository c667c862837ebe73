'use client';

import clsx from 'clsx';
import { type KeyboardEvent, type ReactNode, useEffect, useId } from 'react';
import { count } from './count.ts';

/** Tabs of one screen; which one is open is the caller's (it lives in the URL). Arrow keys move between them. */
export function Tabs<Id extends string>({
  label,
  tabs,
  open,
  onOpen,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: Id;
    readonly label: string;
    readonly count?: number | undefined;
    readonly isBad?: boolean;
  }[];
  readonly open: Id;
  readonly onOpen: (id: Id) => void;
  readonly children: ReactNode;
}): ReactNode {
  const base = useId();
  const openId = `${base}-${open}`;
  useEffect(() => {
    const tab = document.getElementById(openId);
    const row = tab?.parentElement;
    if (tab === null || row === null || row === undefined) return;
    // Not scrollIntoView: that would move the page too.
    row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
  }, [openId]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === open);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onOpen(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <div>
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="mb-3 flex gap-1 overflow-x-auto border-b border-line"
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={`${base}-${tab.id}`}
            type="button"
            role="tab"
            aria-selected={tab.id === open}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === open ? 0 : -1}
            onClick={() => onOpen(tab.id)}
            className={clsx(
              '-mb-px inline-flex h-9 items-center gap-1.5 border-b-2 px-3 font-medium whitespace-nowrap',
              'focus-visible:-outline-offset-2',
              tab.id === open ? 'border-accent text-ink' : 'border-transparent text-ink-2 hover:text-ink',
            )}
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span className={clsx('text-xs', tab.isBad === true ? 'font-semibold text-bad' : 'text-ink-3')}>
                {count(tab.count)}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={openId}>
        {children}
      </div>
    </div>
  );
}

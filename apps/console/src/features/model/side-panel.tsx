'use client';

import { X } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { IconButton } from '../../ui/button.tsx';

/** What stands beside a list about its open row. Escape closes it. */
export function SidePanel({
  title,
  actions,
  onClose,
  children,
}: {
  readonly title: ReactNode;
  readonly actions?: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) onClose();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onClose]);
  return (
    <aside
      aria-label="Details"
      className="min-w-0 self-start rounded-lg border border-line bg-surface xl:sticky xl:top-16"
    >
      <header className="flex items-start justify-between gap-3 border-b border-line px-4 py-2">
        <h2 className="min-w-0 pt-0.5 text-base font-semibold break-words">{title}</h2>
        <div className="flex items-center gap-1">
          {actions}
          <IconButton label="Close the details" onClick={onClose}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      </header>
      <div className="flex max-h-[calc(100dvh-9rem)] flex-col gap-4 overflow-y-auto p-4">{children}</div>
    </aside>
  );
}

/** A list, and beside it what is open; below each other where there is no room. */
export function WithSide({ list, side }: { readonly list: ReactNode; readonly side: ReactNode }): ReactNode {
  if (side === null) return list;
  return (
    <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_24rem]">
      {list}
      <div className="max-xl:order-first">{side}</div>
    </div>
  );
}

/** A titled part of a side panel. */
export function SidePart({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section>
      <h3 className="mb-1 text-xs font-semibold text-ink-3">{title}</h3>
      {children}
    </section>
  );
}

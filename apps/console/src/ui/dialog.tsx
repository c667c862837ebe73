'use client';

import clsx from 'clsx';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { IconButton } from './button.tsx';

/**
 * A modal dialog on the browser's own `<dialog>`: the rest of the page is inert, Escape closes it, and the focus goes
 * back to where it was. It begins at its heading, or at what carries `data-autofocus`. Mount it to open it. `isBusy` keeps it open while something is on its way.
 */
export function Dialog({
  title,
  onClose,
  children,
  footer,
  isWide = false,
  isBusy = false,
}: {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly footer?: ReactNode;
  readonly isWide?: boolean;
  readonly isBusy?: boolean;
}): ReactNode {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const dialog = ref.current;
    opener.current = document.activeElement;
    if (dialog !== null && !dialog.open) dialog.showModal();
    const first = dialog?.querySelector('[data-autofocus]') ?? heading.current;
    if (first instanceof HTMLElement) first.focus();
    return () => dialog?.close();
  }, []);
  useEffect(
    () => () => {
      const from = opener.current;
      if (from instanceof HTMLElement && from.isConnected && from !== document.body) from.focus();
    },
    [],
  );
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isBusy) onClose();
      }}
      className={clsx(
        'm-auto max-h-[min(92dvh,60rem)] w-[calc(100vw-1.5rem)] flex-col overflow-hidden rounded-xl border border-line',
        'bg-surface text-ink shadow-2xl shadow-(color:--shadow) open:flex',
        isWide ? 'max-w-5xl' : 'max-w-xl',
      )}
    >
      <header className="flex items-start justify-between gap-4 border-b border-line px-5 py-3">
        <h2
          ref={heading}
          id={titleId}
          tabIndex={-1}
          className="pt-0.5 outline-none text-lg font-semibold tracking-tight break-words"
        >
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose} blockedBecause={isBusy ? 'This is still on its way' : undefined}>
          <X aria-hidden className="size-4" />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
      {footer === undefined ? null : (
        <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line bg-canvas px-5 py-3">
          {footer}
        </footer>
      )}
    </dialog>
  );
}

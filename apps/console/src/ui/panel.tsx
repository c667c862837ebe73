import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

/** A titled part of a screen. `aside` stands at the right of the title; `isFlush` leaves the padding to the content. */
export function Panel({
  title,
  aside,
  children,
  isFlush = false,
  className,
}: {
  readonly title?: ReactNode;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly isFlush?: boolean;
  readonly className?: string;
}): ReactNode {
  const id = useId();
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={clsx('min-w-0 rounded-lg border border-line bg-surface', className)}
    >
      {title === undefined ? null : (
        <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-4 py-1.5">
          <h2 id={id} className="text-sm font-semibold">
            {title}
          </h2>
          {aside === undefined ? null : (
            <div className="flex flex-wrap items-center gap-2 text-xs text-ink-3">{aside}</div>
          )}
        </header>
      )}
      <div className={isFlush ? undefined : 'p-4'}>{children}</div>
    </section>
  );
}

/** The head of a screen: what it is, one line about it, and its acts. */
export function ScreenHead({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 [.gap-4>&]:mb-0 [.gap-5>&]:mb-0">
      <div className="min-w-0 max-w-[110ch] flex-1 basis-[28rem]">
        <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
        {lead === undefined ? null : <p className="mt-0.5 max-w-[90ch] text-ink-2">{lead}</p>}
        {children}
      </div>
      {actions === undefined ? null : <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}

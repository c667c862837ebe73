'use client';

import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useStore } from '../client/store.ts';
import { AppLink } from './app-link.tsx';
import { IconButton } from './button.tsx';
import { dismiss, type Notice, notices } from './notices.ts';
import { StateMark } from './state-mark.tsx';
import type { Tone } from './tone.ts';

const shownMs = 9_000;
const signOf = {
  ok: 'good',
  warn: 'warning',
  bad: 'bad',
  unsure: 'unknown',
  info: 'pending',
  quiet: 'none',
} as const satisfies Record<Tone, string>;

/** Short words about what ended, in the corner; read out politely, and never over what has the focus. */
export function NoticeCorner(): ReactNode {
  const shown = useStore(notices, (list) => list);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onFocus = (event: FocusEvent) => {
      const box = ref.current?.getBoundingClientRect();
      const target = event.target;
      if (box === undefined || box.height === 0 || !(target instanceof HTMLElement) || ref.current?.contains(target))
        return;
      const at = target.getBoundingClientRect();
      if (at.bottom > box.top && at.right > box.left) target.scrollIntoView({ block: 'center' });
    };
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, []);
  return (
    <div
      ref={ref}
      role="status"
      aria-live="polite"
      className="fixed right-3 bottom-3 z-40 flex w-[min(24rem,calc(100vw-1.5rem))] flex-col gap-2"
    >
      {shown.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeCard({ notice }: { readonly notice: Notice }): ReactNode {
  useEffect(() => {
    if (notice.tone === 'bad') return;
    const timer = setTimeout(() => dismiss(notice.id), shownMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <div className="flex items-start gap-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-3 shadow-lg shadow-(color:--shadow)">
      <div className="min-w-0 flex-1 py-0.5">
        <StateMark tone={notice.tone} sign={signOf[notice.tone]}>
          <span className="whitespace-normal text-ink">{notice.text}</span>
        </StateMark>
        {notice.link === undefined ? null : (
          <AppLink href={notice.link.href} className="link ml-5 text-xs">
            {notice.link.label}
          </AppLink>
        )}
      </div>
      <IconButton label="Dismiss" onClick={() => dismiss(notice.id)}>
        <X aria-hidden className="size-3.5" />
      </IconButton>
    </div>
  );
}

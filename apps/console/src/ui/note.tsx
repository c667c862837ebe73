import clsx from 'clsx';
import type { ReactNode } from 'react';
import { type Sign, StateMark } from './state-mark.tsx';
import { type Tone, toneTint } from './tone.ts';

const signOf: Readonly<Record<Tone, Sign>> = {
  ok: 'good',
  warn: 'warning',
  bad: 'bad',
  unsure: 'unknown',
  info: 'pending',
  quiet: 'none',
};

/** Something to know before going on: a title, what it means, what to do. */
export function Note({
  tone,
  title,
  children,
  action,
  isAlert = false,
}: {
  readonly tone: Tone;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly isAlert?: boolean;
}): ReactNode {
  return (
    <div
      role={isAlert ? 'alert' : undefined}
      className={clsx('flex flex-wrap items-start justify-between gap-3 rounded-lg px-3.5 py-2.5', toneTint[tone])}
    >
      <div className="min-w-0 max-w-[80ch] text-ink">
        <StateMark tone={tone} sign={signOf[tone]}>
          <span className="font-semibold whitespace-normal">{title}</span>
        </StateMark>
        {children === undefined ? null : <div className="mt-0.5 pl-5">{children}</div>}
      </div>
      {action === undefined ? null : <div className="flex items-center gap-2">{action}</div>}
    </div>
  );
}

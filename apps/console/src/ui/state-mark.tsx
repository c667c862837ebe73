import clsx from 'clsx';
import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleHelp,
  CircleX,
  Clock,
  Hand,
  LoaderCircle,
  type LucideIcon,
  Split,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { type Tone, toneText, toneTint } from './tone.ts';

/** The signs that go with states; one sign means one thing everywhere. */
const signs = {
  good: CircleCheck,
  bad: CircleX,
  warning: TriangleAlert,
  unknown: CircleHelp,
  running: LoaderCircle,
  pending: CircleDot,
  drift: Split,
  held: Hand,
  waiting: Clock,
  none: CircleDashed,
  stopped: Ban,
} as const satisfies Record<string, LucideIcon>;

export type Sign = keyof typeof signs;

/** A state: colour, sign and word together, so that none is needed alone. What is in order keeps a quiet word, so that the rest stands out; `isBadge` gives it a tinted ground. */
export function StateMark({
  tone,
  sign,
  children,
  isBadge = false,
  title,
}: {
  readonly tone: Tone;
  readonly sign: Sign;
  readonly children: ReactNode;
  readonly isBadge?: boolean;
  readonly title?: string | undefined;
}): ReactNode {
  const Icon = signs[sign];
  const isQuiet = tone === 'ok' && !isBadge;
  return (
    <span
      title={title}
      className={clsx(
        'inline-flex items-center gap-1.5 align-middle whitespace-nowrap',
        isQuiet ? 'text-ink-2' : ['font-medium', toneText[tone]],
        isBadge && ['rounded-full px-2 py-0.5 text-xs', toneTint[tone]],
      )}
    >
      <Icon
        aria-hidden
        className={clsx(
          'size-3.5 shrink-0',
          isQuiet && toneText[tone],
          sign === 'running' && 'motion-safe:animate-spin',
        )}
        strokeWidth={2.25}
      />
      {children}
    </span>
  );
}

'use client';

import clsx from 'clsx';
import { CircleCheck, CircleHelp, Hand, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Status } from '../../client/api-types.ts';
import { useFreshness } from '../../client/use-freshness.ts';
import { duration } from '../../ui/duration.ts';
import { type Tone, toneText } from '../../ui/tone.ts';
import { visibleText } from '../../ui/visible-text.ts';

/** How the one sentence is to be taken. */
export interface Headline {
  readonly tone: Tone;
  readonly text: string;
}

/**
 * The sentence that an operator reads first. It is the agent's own as long as it is young enough; older than the limit
 * it says so first, and nothing old is ever green; nor is a host of which nothing is kept, for nothing was compared.
 */
export function headlineOf(
  status: Pick<Status, 'ok' | 'sentence' | 'held' | 'problems' | 'mode'> & {
    readonly sets: Pick<Status['sets'], 'total'>;
  },
  ages: { readonly answerAgeMs: number | null; readonly kernelAgeMs: number | null; readonly limitMs: number },
): Headline {
  const { answerAgeMs, kernelAgeMs, limitMs } = ages;
  if (answerAgeMs !== null && answerAgeMs > limitMs) {
    return { tone: 'unsure', text: `Not known now. ${duration(answerAgeMs)} ago: ${status.sentence}` };
  }
  const isCritical = status.problems.some((problem) => problem.severity === 'critical');
  if (isCritical) return { tone: 'bad', text: status.sentence };
  if (!status.ok || status.held > 0) return { tone: 'warn', text: status.sentence };
  if (kernelAgeMs === null) return { tone: 'unsure', text: `The kernel has not been read yet. ${status.sentence}` };
  if (kernelAgeMs > limitMs) {
    return { tone: 'unsure', text: `The kernel was last read ${duration(kernelAgeMs)} ago. Then: ${status.sentence}` };
  }
  if (status.mode === 'observe' || status.sets.total === 0) return { tone: 'info', text: status.sentence };
  return { tone: 'ok', text: status.sentence };
}

const icons: Readonly<Record<Tone, LucideIcon>> = {
  ok: CircleCheck,
  warn: TriangleAlert,
  bad: TriangleAlert,
  unsure: CircleHelp,
  info: Info,
  quiet: CircleHelp,
};

/** The sentence in the largest type of the console, and below it when it was seen. */
export function HeadlineText({
  status,
  children,
}: {
  readonly status: Status;
  readonly children: ReactNode;
}): ReactNode {
  const freshness = useFreshness();
  const { tone, text } = headlineOf(status, freshness);
  const Icon = status.held > 0 && tone === 'warn' ? Hand : icons[tone];
  return (
    <div className="flex items-start gap-3">
      <Icon
        aria-hidden
        className={clsx('mt-[0.22em] size-[1.05em] shrink-0 text-hero', toneText[tone])}
        strokeWidth={2.25}
      />
      <div className="min-w-0">
        <h1
          data-tone={tone}
          className={clsx('max-w-[46ch] text-hero font-semibold tracking-tight break-words', toneText[tone])}
        >
          {visibleText(text)}
        </h1>
        <p className="mt-1.5 text-ink-3">{children}</p>
      </div>
    </div>
  );
}

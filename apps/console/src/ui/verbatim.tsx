import clsx from 'clsx';
import type { ReactNode } from 'react';
import { visibleText } from './visible-text.ts';

/** A kernel name, member, id or line: monospace, shown as itself whatever it holds. */
export function Verbatim({
  text,
  className,
  wraps = false,
}: {
  readonly text: string;
  readonly className?: string | undefined;
  readonly wraps?: boolean;
}): ReactNode {
  return (
    <bdi className={clsx('font-mono text-[0.9375em]', wraps ? 'wrap-anywhere' : 'whitespace-pre', className)}>
      {visibleText(text)}
    </bdi>
  );
}

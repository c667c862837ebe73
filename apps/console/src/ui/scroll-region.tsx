import clsx from 'clsx';
import type { ReactNode, Ref } from 'react';

/** A named part that scrolls by itself; a tab stop, so that it scrolls by keyboard too. */
export function ScrollRegion({
  label,
  className,
  children,
  ref,
}: {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLElement>;
}): ReactNode {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className={clsx('overflow-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </section>
  );
}

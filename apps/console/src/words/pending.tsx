import type { ReactNode } from 'react';
import { count } from '../ui/count.ts';

/** Pending adds and dels as `+3 −1`; a dash for none. */
export function Pending({ adds, dels }: { readonly adds: number; readonly dels: number }): ReactNode {
  if (adds === 0 && dels === 0) return <span className="text-ink-3">–</span>;
  return (
    <span className="font-medium whitespace-nowrap text-warn">
      {adds > 0 ? <span title={`${count(adds)} to add`}>+{count(adds)}</span> : null}
      {adds > 0 && dels > 0 ? ' ' : null}
      {dels > 0 ? <span title={`${count(dels)} to remove`}>−{count(dels)}</span> : null}
    </span>
  );
}

/** A number that matters only when it is not zero. */
export function Quantity({
  value,
  tone,
}: {
  readonly value: number | null;
  readonly tone?: string | undefined;
}): ReactNode {
  if (value === null) return <span className="text-ink-3">?</span>;
  return <span className={value === 0 ? 'text-ink-3' : tone}>{count(value)}</span>;
}

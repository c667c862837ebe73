import clsx from 'clsx';
import type { ReactNode } from 'react';
import { count } from './count.ts';

/** How far something is. `tone` colours it; the numbers stand beside it. */
export function ProgressBar({
  label,
  done,
  total,
  isBad = false,
}: {
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly isBad?: boolean;
}): ReactNode {
  const perCent = total === 0 ? 0 : Math.min(100, (done / total) * 100);
  return (
    <div className="flex items-center gap-3">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        className="h-2 flex-1 overflow-hidden rounded-full bg-sunken"
      >
        <div className={clsx('h-full rounded-full', isBad ? 'bg-bad' : 'bg-accent')} style={{ width: `${perCent}%` }} />
      </div>
      <span className="text-xs text-ink-2">
        {count(done)} of {count(total)}
      </span>
    </div>
  );
}

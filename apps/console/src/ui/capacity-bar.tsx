import clsx from 'clsx';
import type { ReactNode } from 'react';
import { count } from './count.ts';

/** How full a set is: a small bar and the per cent; amber from 80, red from 95. */
export function CapacityBar({
  members,
  maxelem,
}: {
  readonly members: number | null;
  readonly maxelem: number | null;
}): ReactNode {
  if (members === null || maxelem === null || maxelem === 0) return <span className="text-ink-3">–</span>;
  const perCent = Math.min(100, (members / maxelem) * 100);
  const tone = perCent >= 95 ? 'bg-bad' : perCent >= 80 ? 'bg-warn' : 'bg-ink-3';
  const text = perCent > 0 && perCent < 1 ? '<1 %' : `${Math.floor(perCent)} %`;
  return (
    <span className="inline-flex w-full items-center gap-2" title={`${count(members)} of ${count(maxelem)} members`}>
      <span aria-hidden className="h-1.5 min-w-6 flex-1 overflow-hidden rounded-full bg-sunken">
        <span className={clsx('block h-full', tone)} style={{ width: `${perCent}%` }} />
      </span>
      <span
        className={clsx(
          'w-10 text-right text-xs whitespace-nowrap',
          perCent >= 95 ? 'font-semibold text-bad' : perCent >= 80 ? 'font-semibold text-warn' : 'text-ink-3',
        )}
      >
        {text}
      </span>
    </span>
  );
}

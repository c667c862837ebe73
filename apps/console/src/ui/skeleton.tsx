import type { ReactNode } from 'react';

const widths = ['w-2/3', 'w-5/6', 'w-1/2', 'w-3/4', 'w-2/5'];

/** Grey lines where text will be; says so to those who listen. */
export function Skeleton({ lines, label }: { readonly lines: number; readonly label: string }): ReactNode {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-3 p-4">
      {Array.from({ length: lines }, (_, line) => (
        <span key={String(line)} aria-hidden className={`skeleton h-3.5 ${widths[line % widths.length] ?? ''}`} />
      ))}
    </div>
  );
}

import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { InlineCode } from './inline-code.tsx';

/** What stands where rows would: why there are none, and the next step. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}): ReactNode {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <p className="text-base font-semibold">{title}</p>
      {children === undefined ? null : (
        <div className="max-w-[56ch] text-ink-2">
          {typeof children === 'string' ? <InlineCode text={children} /> : children}
        </div>
      )}
      {action === undefined ? null : <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  );
}

/** No row fits the filter; there are others. */
export function FilteredEmpty({ noun, onClear }: { readonly noun: string; readonly onClear: () => void }): ReactNode {
  return (
    <EmptyState
      title={`No ${noun} match these filters`}
      action={
        <Button onClick={onClear} look="primary">
          Clear filters
        </Button>
      }
    />
  );
}

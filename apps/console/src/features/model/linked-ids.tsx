import type { ReactNode } from 'react';
import { AppLink } from '../../ui/app-link.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { screenHref } from '../../words/addresses.ts';

/** Ids of one kind, each linked to its screen; the first few and the rest as a number. */
export function LinkedIds({
  path,
  ids,
  max = 3,
}: {
  readonly path: string;
  readonly ids: readonly string[];
  readonly max?: number;
}): ReactNode {
  if (ids.length === 0) return <span className="text-ink-3">–</span>;
  return (
    <span>
      {ids.slice(0, max).map((id) => (
        <span key={id} className="mr-2">
          <AppLink className="link hit-line" href={screenHref(path, { id })}>
            <Verbatim text={id} wraps className="!font-sans !text-[1em]" />
          </AppLink>{' '}
        </span>
      ))}
      {ids.length > max ? <span className="text-ink-3">+{ids.length - max}</span> : null}
    </span>
  );
}

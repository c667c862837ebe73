'use client';

import type { ReactNode } from 'react';
import { faultOf } from '../client/api-fault.ts';
import { useAnsweredAt } from '../client/use-answered-at.ts';
import { Ago } from './ago.tsx';
import { FaultNote } from './fault-note.tsx';
import { Skeleton } from './skeleton.tsx';

/** The part of a query that this needs. */
interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly dataUpdatedAt: number;
  readonly refetch: () => Promise<unknown>;
}

/** What a query shows in each of its states: on its way, refused, old, and there. */
export function QueryBody<Data>({
  query,
  what,
  lines = 5,
  children,
}: {
  readonly query: Query<Data>;
  /** `The sources`: for the words of each state. */
  readonly what: string;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}): ReactNode {
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    if (query.error === null) return <Skeleton lines={lines} label={`${what}: on the way`} />;
    return <FaultNote fault={faultOf(query.error)} what={`${what} could not be read`} onRetry={retry} />;
  }
  return (
    <>
      {query.error === null ? null : (
        <div className="mb-3">
          <FaultNote
            fault={faultOf(query.error)}
            what={`${what} could not be refreshed: this is as it was last seen`}
            onRetry={retry}
          />
        </div>
      )}
      {children(query.data)}
    </>
  );
}

/** When a query was last answered. */
export function SeenAt({ query }: { readonly query: { readonly dataUpdatedAt: number } }): ReactNode {
  const at = useAnsweredAt(query);
  if (at === undefined) return null;
  return (
    <>
      seen <Ago at={at} />
    </>
  );
}

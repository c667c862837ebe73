'use client';

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ObjectKind } from '../../client/api-types.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { QueryBody } from '../../ui/query-body.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { DeclaredActions } from './declared-actions.tsx';
import { type ObjectOrigin, OriginFacts } from './origin-words.tsx';
import { SidePanel } from './side-panel.tsx';

/** What is said of an object beside its list: where it stands, its facts, and edit and delete where it is declared. */
export function ObjectPanel<Row extends ObjectOrigin & { readonly id: string; readonly note?: string | undefined }>({
  kind,
  id,
  query,
  onClose,
  children,
}: {
  readonly kind: ObjectKind;
  readonly id: string;
  /** The answer that has it, if anything has. */
  readonly query: UseQueryResult<{ readonly items: readonly Row[] }, unknown>;
  readonly onClose: () => void;
  readonly children: (row: Row) => ReactNode;
}): ReactNode {
  const row = query.data?.items.find((one) => one.id === id);
  return (
    <SidePanel
      title={visibleText(id)}
      onClose={onClose}
      actions={
        <>
          <CopyButton text={id} what={`${kind} id`} />
          {row === undefined ? null : <DeclaredActions object={{ kind, id }} source={row.source} />}
        </>
      }
    >
      <QueryBody query={query} what={`The ${kind}`}>
        {() =>
          row === undefined ? (
            <p className="text-ink-2">The model has no {kind} of this id now.</p>
          ) : (
            <>
              <OriginFacts origin={row} />
              {row.note === undefined ? null : <p>“{visibleText(row.note)}”</p>}
              {children(row)}
            </>
          )
        }
      </QueryBody>
    </SidePanel>
  );
}

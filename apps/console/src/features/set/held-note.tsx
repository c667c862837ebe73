'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../client/api.ts';
import type { SetDetail } from '../../client/api-types.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { counted } from '../../ui/count.ts';
import { Note } from '../../ui/note.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { screenHref } from '../../words/addresses.ts';

/** What the guard keeps of this set: how much each held change would remove, and that change itself. */
export function HeldNote({ set }: { readonly set: SetDetail }): ReactNode {
  const held = useQuery(api.held.list.queryOptions());
  const here = (held.data ?? []).flatMap((change) =>
    change.sets
      .filter((one) => one.group === set.group && one.family === set.family)
      .map((one) => ({ id: change.id, removes: one.removes, isRejected: change.state === 'rejected' })),
  );
  return (
    <Note
      tone="warn"
      title={
        here.length === 0
          ? visibleText(set.blockedDetail ?? 'Removals are held')
          : here.map(({ id, removes, isRejected }, index) => (
              <span key={id}>
                {index === 0 ? '' : '; '}
                {removes === 0 ? 'Its end is' : `${counted(removes, 'removal')} ${removes === 1 ? 'is' : 'are'}`}
                {isRejected ? ' rejected with ' : ' held by '}
                <AppLink className="link" href={screenHref('/held/', { id })}>
                  {visibleText(id)}
                </AppLink>
              </span>
            ))
      }
      action={
        <AppLink className="link" href="/held/">
          See what is held
        </AppLink>
      }
    >
      What is held stays in the kernel until it is released; additions are in.
    </Note>
  );
}

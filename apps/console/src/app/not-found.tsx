import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AppLink } from '../ui/app-link.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

export const metadata: Metadata = { title: 'No such page' };

/** An address that no screen has. */
export default function NotFound(): ReactNode {
  return (
    <EmptyState
      title="There is no such page"
      action={
        <AppLink className="link" href="/">
          To the overview
        </AppLink>
      }
    >
      The address may be mistyped, or from another version.
    </EmptyState>
  );
}

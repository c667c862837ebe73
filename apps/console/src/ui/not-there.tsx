import type { ReactNode } from 'react';
import { AppLink } from './app-link.tsx';
import { EmptyState } from './empty-state.tsx';
import { Panel, ScreenHead } from './panel.tsx';

/** A screen about one thing that is not there: its name, why, and the list that has the others. */
export function NotThere({
  name,
  title,
  children,
  list,
}: {
  readonly name: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly list: { readonly href: string; readonly label: string };
}): ReactNode {
  return (
    <>
      <ScreenHead title={name} />
      <Panel isFlush>
        <EmptyState
          title={title}
          action={
            <AppLink className="link" href={list.href}>
              {list.label}
            </AppLink>
          }
        >
          {children}
        </EmptyState>
      </Panel>
    </>
  );
}

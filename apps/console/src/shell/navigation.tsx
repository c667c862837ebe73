'use client';

import clsx from 'clsx';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import type { Status } from '../client/api-types.ts';
import { useGatewaySession } from '../client/gateway-session.ts';
import { useStatus } from '../client/use-status.ts';
import { AppLink } from '../ui/app-link.tsx';
import { count } from '../ui/count.ts';
import { type Screen, screenGroups } from './screens.ts';

const sameScreen: Readonly<Record<string, string>> = { '/set/': '/sets/', '/run/': '/runs/' };

/** The screens, with the counts that matter. Kinds that the model does not contain are not there. */
export function Navigation({ onGo }: { readonly onGo?: () => void }): ReactNode {
  const status = useStatus().data;
  const session = useGatewaySession().data;
  const path = usePathname();
  const here = sameScreen[path] ?? path;
  const isThere = (screen: Screen) =>
    (screen.id !== 'users' || session?.role === 'admin') &&
    (status === undefined || (screen.isThere?.(status) ?? true));
  return (
    <nav aria-label="Screens" className="flex flex-col gap-2.5 px-2.5 py-2.5">
      {screenGroups.map((group) => {
        const screens = group.screens.filter(isThere);
        if (screens.length === 0) return null;
        return (
          <div key={group.label}>
            <h2 className="px-2.5 pb-1 text-2xs font-semibold tracking-wide text-ink-3 uppercase">{group.label}</h2>
            <ul>
              {screens.map((screen) => (
                <li key={screen.id}>
                  <NavigationLink screen={screen} status={status} isHere={screen.href === here} onGo={onGo} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
    </nav>
  );
}

function NavigationLink({
  screen,
  status,
  isHere,
  onGo,
}: {
  readonly screen: Screen;
  readonly status: Status | undefined;
  readonly isHere: boolean;
  readonly onGo: (() => void) | undefined;
}): ReactNode {
  const badge = status === undefined ? undefined : screen.badge?.(status);
  const Icon = screen.icon;
  return (
    <AppLink
      href={screen.href}
      aria-current={isHere ? 'page' : undefined}
      onClick={() => onGo?.()}
      className={clsx(
        'flex h-7 items-center gap-2.5 rounded-md px-2.5',
        isHere ? 'bg-accent-tint font-semibold text-accent' : 'text-ink-2 hover:bg-sunken hover:text-ink',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" strokeWidth={isHere ? 2.25 : 1.85} />
      <span className="min-w-0 flex-1 truncate">{screen.label}</span>
      {badge === undefined || badge.value === 0 ? null : (
        <span
          title={`${count(badge.value)} ${badge.means}`}
          className={clsx(
            'rounded-full px-1.5 text-2xs leading-4.5 font-semibold',
            badge.isBad ? 'bg-bad-tint text-bad' : 'text-ink-3',
          )}
        >
          {count(badge.value)}
          <span className="sr-only"> {badge.means}</span>
        </span>
      )}
    </AppLink>
  );
}

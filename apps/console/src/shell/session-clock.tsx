'use client';

import { LogOut, User } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { askGateway, useGatewaySession } from '../client/gateway-session.ts';
import { queryClient } from '../client/query-client.ts';
import { useNow } from '../client/use-now.ts';
import { Button } from '../ui/button.tsx';
import { duration } from '../ui/duration.ts';
import { Menu } from '../ui/menu.tsx';

/** Who is logged in, with which role, and how long the session lasts; without logins, the role alone. */
export function SessionClock(): ReactNode {
  const session = useGatewaySession().data;
  const router = useRouter();
  const nowMs = useNow();
  const isLoginNeeded = session?.isLoginNeeded === true;
  useEffect(() => {
    if (!isLoginNeeded || window.location.pathname.startsWith('/login')) return;
    router.push(`/login/?${new URLSearchParams({ back: window.location.pathname + window.location.search })}`);
  }, [isLoginNeeded, router]);
  if (session === undefined || session.name === null) return null;
  const leftMs = session.expiresAt === null ? null : Date.parse(session.expiresAt) - nowMs;
  const logOut = async () => {
    await askGateway('/api/logout', { method: 'POST', body: '{}' }).catch(() => undefined);
    queryClient.clear();
    window.location.assign('/login/');
  };
  const words = `${session.name} · ${session.role ?? 'no role'}`;
  if (!session.hasLogins) return <span className="text-xs text-ink-3 max-lg:hidden">{words}</span>;
  return (
    <Menu
      label="Session"
      trigger={
        <Button
          look="quiet"
          isSmall
          title={leftMs === null ? words : `${words}; this session ends in ${duration(Math.max(0, leftMs))}`}
        >
          <User aria-hidden className="size-3.5" />
          <span className="max-md:sr-only">{words}</span>
          {leftMs !== null && leftMs < 600_000 ? (
            <span className="font-semibold text-warn">{duration(Math.max(0, leftMs))}</span>
          ) : null}
        </Button>
      }
      entries={[
        {
          id: 'out',
          label: (
            <span className="inline-flex items-center gap-2">
              <LogOut aria-hidden className="size-3.5" />
              Log out
            </span>
          ),
          ...(leftMs === null ? {} : { hint: `ends in ${duration(Math.max(0, leftMs))}` }),
          onSelect: () => void logOut(),
        },
      ]}
    />
  );
}

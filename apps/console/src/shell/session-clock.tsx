'use client';

import { useQuery } from '@tanstack/react-query';
import { LogOut, User } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { api } from '../client/api.ts';
import { askGateway } from '../client/gateway-request.ts';
import { type GatewaySession, sessionKey, useGatewaySession } from '../client/gateway-session.ts';
import { queryClient } from '../client/query-client.ts';
import { useNow } from '../client/use-now.ts';
import { Button } from '../ui/button.tsx';
import { duration } from '../ui/duration.ts';
import { Menu } from '../ui/menu.tsx';
import { loginHref } from './login-href.ts';

const touchMsMin = 60_000;
/** How often the agent is asked what this role may do: it can change while a page is open. */
const roleMs = 60_000;
const warnMs = 600_000;

/**
 * Leads to the login page, with the way back, where nobody was signed in when this page opened. A session that ends
 * later leaves the page as it is: the banner says so, and what was being typed is not lost.
 */
function useLoginPage(session: GatewaySession | undefined): void {
  const wasIn = useRef(false);
  const isIn = session !== undefined && session.name !== null && !session.mustChangePassword;
  const isNeeded = session?.isLoginNeeded === true || session?.mustChangePassword === true;
  useEffect(() => {
    if (isIn) wasIn.current = true;
    if (isNeeded && !wasIn.current) window.location.assign(loginHref());
  }, [isIn, isNeeded]);
}

/** Tells the gateway that somebody is there, at most once a minute: questions that the page asks by itself do not count. */
function useTouch(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    let lastMs = Date.now();
    const onAct = () => {
      if (Date.now() - lastMs < touchMsMin) return;
      lastMs = Date.now();
      void askGateway('/api/session/touch', {}).then(
        () => queryClient.invalidateQueries({ queryKey: sessionKey }),
        () => queryClient.invalidateQueries({ queryKey: sessionKey }),
      );
    };
    document.addEventListener('pointerdown', onAct);
    document.addEventListener('keydown', onAct);
    return () => {
      document.removeEventListener('pointerdown', onAct);
      document.removeEventListener('keydown', onAct);
    };
  }, [isOn]);
}

async function logOut(): Promise<void> {
  await askGateway('/api/logout', {}).catch(() => undefined);
  queryClient.clear();
  window.location.assign('/login/');
}

/** Who is logged in, with which role, and how long the session lasts; without logins, the role alone. */
export function SessionClock(): ReactNode {
  const session = useGatewaySession().data;
  useQuery(api.session.get.queryOptions(undefined, { refetchInterval: roleMs }));
  useLoginPage(session);
  useTouch(session?.hasLogins === true && session.name !== null);
  if (session === undefined || session.name === null) return null;
  const words = `${session.name} · ${session.role ?? 'no role'}`;
  if (!session.hasLogins) {
    return (
      <span
        className="text-xs text-ink-3 max-lg:hidden"
        title="This gateway has no logins: everybody on this machine is this operator"
      >
        {words}
      </span>
    );
  }
  return <SignedIn words={words} endsAtMs={session.endsAtMs} />;
}

function SignedIn({ words, endsAtMs }: { readonly words: string; readonly endsAtMs: number | null }): ReactNode {
  const nowMs = useNow();
  const left = endsAtMs === null ? null : Math.max(0, endsAtMs - nowMs);
  return (
    <Menu
      label="Session"
      trigger={
        <Button
          look="quiet"
          isSmall
          title={left === null ? words : `${words}; this session ends in ${duration(left)} unless something is done`}
        >
          <User aria-hidden className="size-3.5" />
          <span className="max-md:sr-only">{words}</span>
          {left !== null && left < warnMs ? <span className="font-semibold text-warn">{duration(left)}</span> : null}
        </Button>
      }
      entries={[
        { id: 'settings', label: 'Sessions, tokens, password', onSelect: () => window.location.assign('/settings/') },
        {
          id: 'out',
          label: (
            <span className="inline-flex items-center gap-2">
              <LogOut aria-hidden className="size-3.5" />
              Log out
            </span>
          ),
          ...(left === null ? {} : { hint: `ends in ${duration(left)}` }),
          onSelect: () => void logOut(),
        },
      ]}
    />
  );
}

'use client';

import { QueryClientProvider } from '@tanstack/react-query';
import { CircleHelp, Menu as MenuIcon, Search } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname } from 'next/navigation';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import { type ReactNode, Suspense, useState } from 'react';
import { useGatewaySession } from '../client/gateway-session.ts';
import { LiveConnection } from '../client/live-connection.tsx';
import { queryClient } from '../client/query-client.ts';
import { useStatus } from '../client/use-status.ts';
import { IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { NoticeCorner } from '../ui/notice-corner.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useIsClient } from '../ui/use-is-client.ts';
import { ContactBanner } from './contact-banner.tsx';
import { LiveBadge } from './live-badge.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { SessionClock } from './session-clock.tsx';
import { ClockSwitch, ThemeMenu } from './theme-menu.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const ShortcutHelp = dynamic(() => import('./shortcut-help.tsx').then((module) => module.ShortcutHelp), { ssr: false });

/** What stands around every screen: navigation, head, banner, notices; and what runs behind it: cache, stream, keys. */
export function Shell({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <NuqsAdapter>
        <Frame>{children}</Frame>
      </NuqsAdapter>
    </QueryClientProvider>
  );
}

function Frame({ children }: { readonly children: ReactNode }): ReactNode {
  const [open, setOpen] = useState<'palette' | 'help' | 'navigation' | null>(null);
  useShortcuts({ onPalette: () => setOpen('palette'), onHelp: () => setOpen('help') });
  const close = () => setOpen(null);
  if (usePathname() === '/login/') {
    return (
      <main id="main">
        <Screen>{children}</Screen>
      </main>
    );
  }
  return (
    <>
      <a
        href="#main"
        className="sr-only rounded-md bg-accent-solid px-3 py-2 text-on-solid focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to the screen
      </a>
      <LiveConnection />
      <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside className="sticky top-0 hidden h-dvh overflow-y-auto border-r border-line bg-surface lg:block">
          <HostHead />
          <Navigation />
        </aside>
        <div className="flex min-w-0 flex-col">
          <header className="sticky top-0 z-30 flex h-12 items-center gap-1.5 border-b border-line bg-surface/95 px-3 backdrop-blur sm:gap-2 sm:px-6">
            <IconButton label="Screens" className="lg:hidden" onClick={() => setOpen('navigation')}>
              <MenuIcon aria-hidden className="size-4" />
            </IconButton>
            <button
              type="button"
              onClick={() => setOpen('palette')}
              title="Find an address, a set, a run"
              className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-md border border-line-strong/60 bg-canvas px-2.5 text-left text-ink-3 hover:border-line-strong sm:max-w-md"
            >
              <Search aria-hidden className="size-4 shrink-0" />
              <span className="flex-1 truncate">Find an address, a set, a run</span>
              <kbd className="rounded border border-line px-1 text-2xs max-sm:hidden">Ctrl K</kbd>
            </button>
            <div className="ml-auto flex items-center gap-0.5 sm:gap-1.5">
              <LiveBadge />
              <ClockSwitch />
              <ThemeMenu />
              <IconButton label="Keys and help" onClick={() => setOpen('help')} className="max-sm:hidden">
                <CircleHelp aria-hidden className="size-4" />
              </IconButton>
              <SessionClock />
            </div>
          </header>
          <ContactBanner />
          <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-3 py-5 outline-none sm:px-6">
            <Screen>{children}</Screen>
          </main>
        </div>
      </div>
      <NoticeCorner />
      {open === 'palette' ? <Palette onClose={close} onHelp={() => setOpen('help')} /> : null}
      {open === 'help' ? <ShortcutHelp onClose={close} /> : null}
      {open === 'navigation' ? (
        <Dialog title="Screens" onClose={close}>
          <Navigation onGo={close} />
        </Dialog>
      ) : null}
    </>
  );
}

/** The screen itself, drawn by the browser alone: it shows answers of the agent, which the exported file cannot have. */
function Screen({ children }: { readonly children: ReactNode }): ReactNode {
  const isClient = useIsClient();
  const onTheWay = <Skeleton lines={8} label="Opening the screen" />;
  return isClient ? <Suspense fallback={onTheWay}>{children}</Suspense> : onTheWay;
}

function HostHead(): ReactNode {
  const status = useStatus().data;
  return (
    <div className="flex h-12 items-center gap-2.5 border-b border-line px-4">
      <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 shrink-0 text-accent">
        <rect x="1.5" y="1.5" width="17" height="17" rx="4.5" fill="none" stroke="currentColor" strokeWidth="2" />
        <circle cx="7" cy="7" r="1.7" fill="currentColor" />
        <circle cx="13" cy="7" r="1.7" fill="currentColor" />
        <circle cx="7" cy="13" r="1.7" fill="currentColor" />
        <path d="M11 13.2l1.5 1.5 2.6-3" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
      <div className="min-w-0 leading-tight">
        <HostName host={status?.host} />
        <div className="truncate text-2xs text-ink-3">
          {status === undefined
            ? 'connecting'
            : `Setkeeper ${status.version}${status.mode === 'observe' ? ' · observes' : ''}`}
        </div>
      </div>
    </div>
  );
}

/** The host whose agent is shown; a choice where the gateway has several. */
function HostName({ host }: { readonly host: string | undefined }): ReactNode {
  const hosts = useGatewaySession().data?.hosts ?? [];
  if (hosts.length < 2) return <div className="truncate font-semibold">{host ?? 'Setkeeper'}</div>;
  return (
    <select
      aria-label="Host"
      value={host ?? hosts[0]}
      onChange={(event) => window.location.assign(`/?${new URLSearchParams({ host: event.target.value })}`)}
      className="max-w-full rounded bg-transparent font-semibold"
    >
      {hosts.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}

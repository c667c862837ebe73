'use client';

import type { ReactNode } from 'react';
import { useGatewaySession } from '../../client/gateway-session.ts';
import { usePreference } from '../../client/preferences.ts';
import { useStatus } from '../../client/use-status.ts';
import { CheckField } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.ts';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { PasswordForm } from './password-form.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TokensPanel } from './tokens-panel.tsx';

/** Settings: what this browser shows and how; and, where there are logins, one's own sessions, tokens and password. */
export function SettingsScreen(): ReactNode {
  const session = useGatewaySession().data;
  const hasOwnLogin = session?.hasLogins === true && session.name !== null;
  return (
    <div className="flex flex-col gap-5">
      <ScreenHead title="Settings" lead="The first part is kept in this browser only. Nothing here changes the host." />
      <div className="grid gap-5 xl:grid-cols-2">
        <ViewPanel />
        <AboutPanel />
        {hasOwnLogin ? (
          <>
            <SessionsPanel />
            <TokensPanel />
            <Panel title="Password">
              <PasswordForm
                onDone={() => notify({ tone: 'ok', text: 'The password is changed; your other sessions have ended' })}
              />
            </Panel>
          </>
        ) : null}
      </div>
    </div>
  );
}

function ViewPanel(): ReactNode {
  const [theme, setTheme] = usePreference('theme');
  const [density, setDensity] = usePreference('density');
  const [clock, setClock] = usePreference('clock');
  const [singleKeys, setSingleKeys] = usePreference('singleKeys');
  return (
    <Panel title="This browser">
      <div className="flex flex-col gap-4">
        <Choice label="Theme">
          <Segmented
            label="Theme"
            value={theme}
            choices={[
              { value: 'system', label: 'As the system' },
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ]}
            onChange={setTheme}
          />
        </Choice>
        <Choice label="Rows">
          <Segmented
            label="Rows"
            value={density}
            choices={[
              { value: 'compact', label: 'Compact' },
              { value: 'comfortable', label: 'Comfortable' },
            ]}
            onChange={setDensity}
          />
        </Choice>
        <Choice label="Times">
          <Segmented
            label="Times"
            value={clock}
            choices={[
              { value: 'utc', label: 'UTC' },
              { value: 'local', label: 'Local' },
            ]}
            onChange={setClock}
          />
        </Choice>
        <CheckField
          label="Single-letter keys (j, k, g s, ?)"
          isChecked={singleKeys === 'on'}
          onChange={(isOn) => setSingleKeys(isOn ? 'on' : 'off')}
        />
      </div>
    </Panel>
  );
}

function Choice({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span aria-hidden className="w-20 text-ink-2 max-sm:w-full">
        {label}
      </span>
      {children}
    </div>
  );
}

function AboutPanel(): ReactNode {
  const status = useStatus().data;
  const session = useGatewaySession().data;
  const facts: readonly (readonly [string, string])[] = [
    ['Host', status?.host ?? 'not known'],
    [
      'Agent',
      status === undefined
        ? 'not known'
        : `Setkeeper ${status.version}, ${status.mode === 'observe' ? 'observes' : 'manages'}`,
    ],
    ['Prefix', status?.prefix ?? 'not known'],
    ['You', session?.name == null ? 'not known' : `${session.name}, ${session.role ?? 'no role'}`],
    ['Logins', session?.hasLogins === true ? 'on' : 'off: everybody on this machine is an operator'],
  ];
  return (
    <Panel title="About">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd>
              <Verbatim text={value} wraps className="!font-sans !text-[1em]" />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { type ReactNode, useState } from 'react';
import { faultOf } from '../../client/api-fault.ts';
import { useGatewaySession } from '../../client/gateway-session.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PasswordForm } from '../settings/password-form.tsx';
import { GatewayForm } from './gateway-form.tsx';
import { NameField, PasswordField } from './name-and-password.tsx';
import { safeBack } from './safe-back.ts';

/** Log in; or, on a new gateway, make the first admin with the one-time code; or choose a new password first. */
export function LoginScreen(): ReactNode {
  const session = useGatewaySession();
  const [back] = useQueryState('back', parseAsString.withDefault('/'));
  const enter = () => window.location.assign(safeBack(back));
  return (
    <div className="grid min-h-dvh place-items-center p-4">
      <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6 shadow-lg shadow-(color:--shadow)">
        <h1 className="text-xl font-semibold tracking-tight">Setkeeper</h1>
        {session.data === undefined ? (
          session.error === null ? (
            <Skeleton lines={3} label="Asking the gateway" />
          ) : (
            <FaultNote
              fault={faultOf(session.error)}
              what="The gateway could not be asked"
              onRetry={() => void session.refetch()}
            />
          )
        ) : !session.data.hasLogins ? (
          <p className="mt-2 text-ink-2">
            This gateway has no logins: everybody who reaches it on this machine is an operator.{' '}
            <AppLink className="link" href="/">
              To the overview
            </AppLink>
          </p>
        ) : session.data.mustChangePassword ? (
          <>
            <p className="mt-1 mb-4 text-ink-2">Choose a password of your own first.</p>
            <PasswordForm onDone={enter} />
          </>
        ) : session.data.isFirstAdminNeeded ? (
          <div className="mt-2">
            <FirstAdminForm onDone={enter} />
          </div>
        ) : (
          <div className="mt-4">
            <LoginForm onDone={enter} />
          </div>
        )}
      </div>
    </div>
  );
}

function LoginForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <GatewayForm
      path="/api/login"
      body={{ name, password }}
      label="Log in"
      refused="Not logged in"
      busy="It is being checked"
      onDone={onDone}
    >
      <NameField value={name} onChange={setName} />
      <PasswordField value={password} onChange={setPassword} />
    </GatewayForm>
  );
}

function FirstAdminForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const [name, setName] = useState('admin');
  const [password, setPassword] = useState('');
  return (
    <GatewayForm
      path="/api/first-admin"
      body={{ code, name, password }}
      label="Make the first admin"
      refused="No user was made"
      busy="It is being made"
      onDone={onDone}
      lead={
        <p className="text-ink-2">
          There is no user yet. The one-time code is in the file <code>first-admin-code</code> beside the gateway&apos;s
          store, which root can read. It proves that you may make the first admin.
        </p>
      }
    >
      <TextField
        label="One-time code"
        autoComplete="one-time-code"
        required
        isMono
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <NameField value={name} onChange={setName} />
      <PasswordField isNew hint="At least 12 characters" value={password} onChange={setPassword} />
    </GatewayForm>
  );
}

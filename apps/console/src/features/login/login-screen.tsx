'use client';

import { parseAsString, useQueryState } from 'nuqs';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type ApiFault, faultOf } from '../../client/api-fault.ts';
import { askGateway } from '../../client/gateway-request.ts';
import { sessionKey, useGatewaySession } from '../../client/gateway-session.ts';
import { queryClient } from '../../client/query-client.ts';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { TextField } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PasswordForm } from '../settings/password-form.tsx';
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
          <FirstAdminForm onDone={enter} />
        ) : (
          <LoginForm onDone={enter} />
        )}
      </div>
    </div>
  );
}

/** Sends a form to the gateway, and keeps what it refused. */
function useSending(path: string, onDone: () => void) {
  const [fault, setFault] = useState<ApiFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>, body: Record<string, string>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      await askGateway(path, body);
      await queryClient.invalidateQueries({ queryKey: sessionKey });
      onDone();
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  return { fault, isBusy, send };
}

function LoginForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { fault, isBusy, send } = useSending('/api/login', onDone);
  return (
    <form className="mt-4 flex flex-col gap-3" onSubmit={(event) => void send(event, { name, password })}>
      {fault === null ? null : <FaultNote fault={fault} what="Not logged in" />}
      <TextField
        label="Name"
        name="username"
        autoComplete="username"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" look="primary" blockedBecause={isBusy ? 'It is being checked' : undefined}>
        Log in
      </Button>
    </form>
  );
}

function FirstAdminForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [code, setCode] = useState('');
  const [name, setName] = useState('admin');
  const [password, setPassword] = useState('');
  const { fault, isBusy, send } = useSending('/api/first-admin', onDone);
  return (
    <form className="mt-2 flex flex-col gap-3" onSubmit={(event) => void send(event, { code, name, password })}>
      <p className="text-ink-2">
        There is no user yet. The one-time code is in the file <code>first-admin-code</code> beside the gateway&apos;s
        store, which root can read. It proves that you may make the first admin.
      </p>
      {fault === null ? null : <FaultNote fault={fault} what="No user was made" />}
      <TextField
        label="One-time code"
        autoComplete="one-time-code"
        required
        isMono
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <TextField
        label="Name"
        name="username"
        autoComplete="username"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        name="password"
        autoComplete="new-password"
        required
        hint="At least 12 characters"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button type="submit" look="primary" blockedBecause={isBusy ? 'It is being made' : undefined}>
        Make the first admin
      </Button>
    </form>
  );
}

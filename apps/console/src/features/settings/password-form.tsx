'use client';

import { type ReactNode, useState } from 'react';
import { type ApiFault, faultOf } from '../../client/api-fault.ts';
import { askGateway } from '../../client/gateway-request.ts';
import { sessionKey } from '../../client/gateway-session.ts';
import { queryClient } from '../../client/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { TextField } from '../../ui/field.tsx';

/** A new password of one's own; every other session of the user ends. */
export function PasswordForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [fault, setFault] = useState<ApiFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const differs = again !== '' && again !== next;
  const send = async () => {
    if (isBusy || differs) return;
    setBusy(true);
    setFault(null);
    try {
      await askGateway('/api/password', { current, next });
      await queryClient.invalidateQueries({ queryKey: sessionKey });
      setCurrent('');
      setNext('');
      setAgain('');
      onDone();
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="flex max-w-sm flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {fault === null ? null : <FaultNote fault={fault} what="The password stays as it was" />}
      <TextField
        label="Present password"
        type="password"
        autoComplete="current-password"
        required
        value={current}
        onChange={(event) => setCurrent(event.target.value)}
      />
      <TextField
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint="At least 12 characters"
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      <TextField
        label="New password again"
        type="password"
        autoComplete="new-password"
        required
        problem={differs ? 'The two differ' : undefined}
        value={again}
        onChange={(event) => setAgain(event.target.value)}
      />
      <Button
        type="submit"
        look="primary"
        className="self-start"
        blockedBecause={isBusy ? 'It is being changed' : differs ? 'The two differ' : undefined}
      >
        Change the password
      </Button>
    </form>
  );
}

'use client';

import { type ReactNode, useState } from 'react';
import { GatewayForm } from '../login/gateway-form.tsx';
import { PasswordField } from '../login/name-and-password.tsx';

/** A new password of one's own; every other session of the user ends. */
export function PasswordForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const problem = again !== '' && again !== next ? 'The two differ' : undefined;
  return (
    <GatewayForm
      path="/api/password"
      body={{ current, next }}
      label="Change the password"
      refused="The password stays as it was"
      busy="It is being changed"
      blockedBecause={problem}
      onDone={() => {
        for (const empty of [setCurrent, setNext, setAgain]) empty('');
        onDone();
      }}
    >
      <PasswordField label="Present password" value={current} onChange={setCurrent} />
      <PasswordField label="New password" isNew hint="At least 12 characters" value={next} onChange={setNext} />
      <PasswordField label="New password again" isNew problem={problem} value={again} onChange={setAgain} />
    </GatewayForm>
  );
}

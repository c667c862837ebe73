'use client';

import { type ReactNode, useState } from 'react';
import { askGateway } from '../../client/gateway-request.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { CheckField, SelectField, TextField } from '../../ui/field.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { type Row, text } from '../settings/gateway-rows.ts';

const roles = ['viewer', 'operator', 'admin'] as const;
const choices = roles.map((value) => ({ value, label: value }));

interface UserDialogProps {
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onPassword: (made: { readonly name: string; readonly password: string }) => void;
}

function passwordIn(body: unknown): string | undefined {
  const password = typeof body === 'object' && body !== null && 'password' in body ? body.password : undefined;
  return typeof password === 'string' ? password : undefined;
}

/** Adds a user with a first password that the gateway makes. */
export function AddUserDialog({ onClose, onDone, onPassword }: UserDialogProps): ReactNode {
  const [name, setName] = useState('');
  const [role, setRole] = useState<(typeof roles)[number]>('viewer');
  return (
    <ActDialog
      title="Add a user"
      what="The gateway makes a first password, shown once, which must be changed at the first login."
      label="Add"
      blockedBecause={name.trim() === '' ? 'Give a name' : undefined}
      onSend={async () => {
        const password = passwordIn(await askGateway('/api/users', { name: name.trim(), role }));
        onDone();
        if (password !== undefined) onPassword({ name: name.trim(), password });
      }}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} data-autofocus="" />
      <SelectField label="Role" value={role} choices={choices} onChange={setRole} />
    </ActDialog>
  );
}

/** Changes a user's role, disables or enables them, or makes them a new first password. */
export function ChangeUserDialog({
  row,
  onClose,
  onDone,
  onPassword,
}: UserDialogProps & { readonly row: Row }): ReactNode {
  const name = text(row, 'name') ?? row.id;
  const [role, setRole] = useState(() => roles.find((one) => one === text(row, 'role')) ?? 'viewer');
  const [isDisabled, setDisabled] = useState(row.fields.disabled === true);
  const [resets, setResets] = useState(false);
  return (
    <ActDialog
      title={`Change ${visibleText(name)}`}
      what="A disabled user's sessions and tokens end at once. The last admin cannot be taken away."
      label="Change"
      blockedBecause={undefined}
      onSend={async () => {
        const body = await askGateway(`/api/users/${encodeURIComponent(row.id)}`, {
          role,
          disabled: isDisabled,
          resetPassword: resets,
        });
        const password = passwordIn(body);
        onDone();
        if (password !== undefined) onPassword({ name, password });
      }}
      onClose={onClose}
    >
      <SelectField label="Role" value={role} choices={choices} onChange={setRole} />
      <CheckField label="Disabled: may not log in" isChecked={isDisabled} onChange={setDisabled} />
      <CheckField label="Make a new first password" isChecked={resets} onChange={setResets} />
    </ActDialog>
  );
}

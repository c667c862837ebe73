import type { ReactNode } from 'react';
import { TextField } from '../../ui/field.tsx';

/** The field for a user's name. */
export function NameField({ value, onChange }: FieldProps): ReactNode {
  return (
    <TextField
      label="Name"
      name="username"
      autoComplete="username"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A field for a password: the present one, or a new one. */
export function PasswordField({
  label = 'Password',
  isNew = false,
  hint,
  problem,
  value,
  onChange,
}: FieldProps & {
  readonly label?: string;
  readonly isNew?: boolean;
  readonly hint?: string;
  readonly problem?: string | undefined;
}): ReactNode {
  return (
    <TextField
      label={label}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      {...(hint === undefined ? {} : { hint })}
      problem={problem}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

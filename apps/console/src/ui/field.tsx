'use client';

import clsx from 'clsx';
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react';

const boxClass =
  'w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink placeholder:text-ink-3 aria-invalid:border-bad';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

/** A line of text with its label, a hint and what is wrong with it. */
export function TextField({
  label,
  hint,
  problem,
  className,
  isMono = false,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement> & { readonly isMono?: boolean }): ReactNode {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-d`}
        className={clsx(boxClass, 'h-8', isMono && 'font-mono')}
      />
      <FieldFoot id={`${id}-d`} hint={hint} problem={problem} />
    </div>
  );
}

/** Several lines of text with their label. */
export function TextArea({
  label,
  hint,
  problem,
  className,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-xs font-medium text-ink-2">
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        spellCheck={false}
        aria-invalid={problem === undefined ? undefined : true}
        aria-describedby={hint === undefined && problem === undefined ? undefined : `${id}-d`}
        className={clsx(boxClass, 'py-1.5 font-mono text-xs')}
      />
      <FieldFoot id={`${id}-d`} hint={hint} problem={problem} />
    </div>
  );
}

/** One choice of several, by the browser's own list. `isBare` hides the label from sight only. */
export function SelectField<Value extends string>({
  label,
  value,
  choices,
  onChange,
  isBare = false,
  className,
}: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly isBare?: boolean;
  readonly className?: string;
}): ReactNode {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className={isBare ? 'sr-only' : 'mb-1 block text-xs font-medium text-ink-2'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          const choice = choices.find((one) => one.value === event.target.value);
          if (choice !== undefined) onChange(choice.value);
        }}
        className={clsx(boxClass, 'h-8 w-auto max-w-full pr-7')}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A box to tick, with its words. */
export function CheckField({
  label,
  isChecked,
  onChange,
}: {
  readonly label: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}): ReactNode {
  return (
    <label className="inline-flex min-h-6 items-center gap-2">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent-solid"
      />
      {label}
    </label>
  );
}

function FieldFoot({
  id,
  hint,
  problem,
}: {
  readonly id: string;
  readonly hint: ReactNode;
  readonly problem: string | undefined;
}): ReactNode {
  if (hint === undefined && problem === undefined) return null;
  return (
    <p id={id} className={clsx('mt-1 text-xs', problem === undefined ? 'text-ink-3' : 'font-medium text-bad')}>
      {problem ?? hint}
    </p>
  );
}

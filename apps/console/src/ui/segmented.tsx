'use client';

import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

/** A few choices side by side, one of them chosen: radio buttons that look like one control. */
export function Segmented<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly count?: number | undefined;
  }[];
  readonly onChange: (value: Value) => void;
}): ReactNode {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full flex-wrap rounded-md border border-line-strong/70 bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className={clsx(
            'relative inline-flex h-6.5 items-center gap-1.5 rounded-[0.3rem] px-2.5 text-xs font-medium',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent',
            choice.value === value ? 'bg-accent-tint text-accent' : 'text-ink-2 hover:bg-sunken',
          )}
        >
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[0.3rem] outline-none"
          />
          {choice.label}
          {choice.count === undefined ? null : (
            <span className="text-[0.9em]">{choice.count.toLocaleString('en-US')}</span>
          )}
        </label>
      ))}
    </fieldset>
  );
}

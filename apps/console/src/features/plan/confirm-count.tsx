'use client';

import type { ReactNode } from 'react';
import { count } from '../../ui/count.ts';
import { TextField } from '../../ui/field.tsx';

/** Asks for the number that is about to be touched to be typed: for several, or for anything that destroys. */
export function ConfirmCount({
  what,
  expected,
  typed,
  onType,
}: {
  /** `sets will be written`, `leftovers will be destroyed`. */
  readonly what: string;
  readonly expected: number;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}): ReactNode {
  return (
    <TextField
      label={`Type ${count(expected)} to confirm: so many ${what}`}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      onChange={(event) => onType(event.target.value)}
      className="w-full sm:w-80"
    />
  );
}

/** Whether the typed text is that number; separators are allowed. */
export function isCountTyped(typed: string, expected: number): boolean {
  return typed.replaceAll(/[\s,.]/gu, '') === String(expected);
}

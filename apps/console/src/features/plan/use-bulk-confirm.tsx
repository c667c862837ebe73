'use client';

import { type ReactNode, useState } from 'react';
import { count } from '../../ui/count.ts';
import { TextField } from '../../ui/field.tsx';
import { isCountTyped } from './is-count-typed.ts';

/** What an operator types before several things are touched, or anything is destroyed: how many, and why. */
export interface BulkConfirm {
  readonly isTyped: (expected: number) => boolean;
  /** Asks for the number again: what would be touched has changed. */
  readonly forget: () => void;
  /** The reason as part of a verb's input; nothing while none is given. */
  readonly reasonInput: { readonly reason?: string };
  /** The two fields; `what` ends the sentence: `sets will be written`. */
  readonly fields: (expected: number, what: string) => ReactNode;
}

/** Keeps the typed number and the reason of a dialog that touches much. */
export function useBulkConfirm(): BulkConfirm {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const why = reason.trim();
  return {
    isTyped: (expected) => isCountTyped(typed, expected),
    forget: () => setTyped(''),
    reasonInput: why === '' ? {} : { reason: why },
    fields: (expected, what) => (
      <div className="flex flex-wrap gap-4">
        <TextField
          label={`Type ${count(expected)} to confirm: so many ${what}`}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="w-full sm:w-80"
        />
        <TextField
          label="Reason, kept in the audit"
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.target.value)}
          className="min-w-0 flex-1 basis-60"
        />
      </div>
    ),
  };
}

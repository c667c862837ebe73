'use client';

import { type ReactNode, useState } from 'react';
import { type ApiFault, faultOf } from '../client/api-fault.ts';
import { Button, type ButtonLook } from './button.tsx';
import { CommandLine } from './command-line.tsx';
import { Dialog } from './dialog.tsx';
import { FaultNote } from './fault-note.tsx';

/** A small dialog for one act: what it does, its fields, the same on the command line, one button. */
export function ActDialog({
  title,
  what,
  command,
  look = 'primary',
  label,
  blockedBecause,
  onSend,
  onClose,
  staysOpen = false,
  children,
}: {
  readonly title: string;
  /** What will happen, in words. */
  readonly what: ReactNode;
  readonly command?: string;
  readonly look?: ButtonLook;
  readonly label: string;
  readonly blockedBecause: string | undefined;
  /** Resolves when the agent has done it; the dialog closes then, unless `staysOpen`: the caller shows what comes of it. */
  readonly onSend: () => Promise<void>;
  readonly onClose: () => void;
  readonly staysOpen?: boolean;
  readonly children?: ReactNode;
}): ReactNode {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault | null>(null);
  const send = async () => {
    if (blockedBecause !== undefined || isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      await onSend();
      if (!staysOpen) onClose();
    } catch (error) {
      setFault(faultOf(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isBusy={isBusy}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look={look} onClick={() => void send()} blockedBecause={isBusy ? 'It is being sent' : blockedBecause}>
            {label}
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {fault === null ? null : <FaultNote fault={fault} what="Nothing was done" />}
        <div>{what}</div>
        {children}
        {command === undefined ? null : (
          <p className="text-xs text-ink-3">
            the same: <CommandLine command={command} />
          </p>
        )}
      </form>
    </Dialog>
  );
}

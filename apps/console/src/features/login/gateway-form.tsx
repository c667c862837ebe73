'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { type ApiFault, faultOf } from '../../client/api-fault.ts';
import { askGateway } from '../../client/gateway-request.ts';
import { sessionKey } from '../../client/gateway-session.ts';
import { queryClient } from '../../client/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';

/** A form for the gateway about who one is: its fields, what the gateway refused, and one button. */
export function GatewayForm({
  path,
  body,
  label,
  refused,
  busy,
  blockedBecause,
  onDone,
  children,
  lead,
}: {
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  readonly label: string;
  /** What is true when the gateway said no: `Not logged in`. */
  readonly refused: string;
  /** Why the button waits while it is on its way. */
  readonly busy: string;
  readonly blockedBecause?: string | undefined;
  readonly onDone: () => void;
  readonly children: ReactNode;
  readonly lead?: ReactNode;
}): ReactNode {
  const [fault, setFault] = useState<ApiFault | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || blockedBecause !== undefined) return;
    setBusy(true);
    setFault(null);
    try {
      await askGateway(path, { ...body });
      await queryClient.invalidateQueries({ queryKey: sessionKey });
      onDone();
    } catch (error) {
      setFault(faultOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="flex max-w-sm flex-col gap-3" onSubmit={(event) => void send(event)}>
      {lead}
      {fault === null ? null : <FaultNote fault={fault} what={refused} />}
      {children}
      <Button type="submit" look="primary" blockedBecause={isBusy ? busy : blockedBecause}>
        {label}
      </Button>
    </form>
  );
}

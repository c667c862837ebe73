'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { askGateway } from '../../client/gateway-request.ts';
import { queryClient } from '../../client/query-client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryBody } from '../../ui/query-body.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { type Row, rowsOf, text } from './gateway-rows.ts';

const key = ['gateway', 'tokens'];
const roles = ['viewer', 'operator', 'admin'] as const;

/** One's own API tokens: for scripts and the command line. A new one is shown once. */
export function TokensPanel(): ReactNode {
  const tokens = useQuery({ queryKey: key, queryFn: async () => rowsOf(await askGateway('/api/tokens')) });
  const [open, setOpen] = useState<'new' | Row | null>(null);
  const [made, setMade] = useState<string | null>(null);
  return (
    <Panel
      isFlush
      title="API tokens"
      aside={
        <Button isSmall onClick={() => setOpen('new')}>
          New token…
        </Button>
      }
    >
      <QueryBody query={tokens} what="The tokens" lines={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-4 py-3 text-ink-2">
              You have no token. The command line takes one with --url and --token-file.
            </p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((row) => (
                <TokenRow key={row.id} row={row} onRevoke={() => setOpen(row)} />
              ))}
            </ul>
          )
        }
      </QueryBody>
      {open === 'new' ? <NewTokenDialog onClose={() => setOpen(null)} onMade={setMade} /> : null}
      {open !== null && open !== 'new' ? <RevokeDialog row={open} onClose={() => setOpen(null)} /> : null}
      {made === null ? null : (
        <Dialog
          title="The new token"
          onClose={() => setMade(null)}
          footer={<Button onClick={() => setMade(null)}>I have kept it</Button>}
        >
          <Note tone="warn" title="It is shown this once">
            Only its fingerprint is stored.
          </Note>
          <p className="mt-3 flex items-center gap-2">
            <Verbatim text={made} wraps />
            <CopyButton text={made} what="token" />
          </p>
        </Dialog>
      )}
    </Panel>
  );
}

function TokenRow({ row, onRevoke }: { readonly row: Row; readonly onRevoke: () => void }): ReactNode {
  const isRevoked = text(row, 'revokedAt') !== null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
      <div className="min-w-0">
        <p>
          <strong className="font-semibold">{visibleText(text(row, 'name') ?? row.id)}</strong>{' '}
          <span className="text-ink-3">{text(row, 'role')}</span>
        </p>
        <p className="text-xs text-ink-3">
          made <Ago at={text(row, 'createdAt')} />, last used <Ago at={text(row, 'lastUsedAt')} never="never" />, ends{' '}
          <Ago at={text(row, 'expiresAt')} />
        </p>
      </div>
      {isRevoked ? (
        <StateMark tone="quiet" sign="stopped">
          revoked
        </StateMark>
      ) : (
        <Button isSmall onClick={onRevoke}>
          Revoke…
        </Button>
      )}
    </li>
  );
}

function NewTokenDialog({
  onClose,
  onMade,
}: {
  readonly onClose: () => void;
  readonly onMade: (token: string) => void;
}): ReactNode {
  const [name, setName] = useState('');
  const [role, setRole] = useState<(typeof roles)[number]>('viewer');
  const [days, setDays] = useState('90');
  const daysNumber = Number(days);
  const isGood = Number.isInteger(daysNumber) && daysNumber >= 1 && daysNumber <= 366;
  return (
    <ActDialog
      title="New API token"
      what="It may do at most what your own role may do."
      label="Make the token"
      blockedBecause={name.trim() === '' ? 'Give it a name' : isGood ? undefined : 'From 1 to 366 days'}
      onSend={async () => {
        const body = await askGateway('/api/tokens', { name: name.trim(), role, days: daysNumber });
        await queryClient.invalidateQueries({ queryKey: key });
        const token = typeof body === 'object' && body !== null && 'token' in body ? body.token : undefined;
        if (typeof token === 'string') onMade(token);
      }}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="What it is for"
        value={name}
        onChange={(event) => setName(event.target.value)}
        data-autofocus=""
      />
      <SelectField
        label="Role"
        value={role}
        choices={roles.map((value) => ({ value, label: value }))}
        onChange={setRole}
      />
      <TextField
        label="Days until it ends"
        inputMode="numeric"
        value={days}
        onChange={(event) => setDays(event.target.value)}
        className="w-40"
      />
    </ActDialog>
  );
}

function RevokeDialog({ row, onClose }: { readonly row: Row; readonly onClose: () => void }): ReactNode {
  return (
    <ActDialog
      title={`Revoke ${visibleText(text(row, 'name') ?? row.id)}`}
      what="Whoever uses it is refused from now on, and its open streams end. It cannot be brought back."
      look="danger"
      label="Revoke"
      blockedBecause={undefined}
      onSend={async () => {
        await askGateway(`/api/tokens/${encodeURIComponent(row.id)}/revoke`, {});
        await queryClient.invalidateQueries({ queryKey: key });
      }}
      onClose={onClose}
    />
  );
}

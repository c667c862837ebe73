'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { askGateway } from '../../client/gateway-request.ts';
import { useGatewaySession } from '../../client/gateway-session.ts';
import { queryClient } from '../../client/query-client.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel, ScreenHead } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { useQueryRows } from '../../ui/table/use-query-rows.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { type Row, rowsOf, text } from '../settings/gateway-rows.ts';
import { AddUserDialog, ChangeUserDialog } from './user-dialogs.tsx';
import { UsersLog } from './users-log.tsx';

const key = ['gateway', 'users'];

/** Users of this gateway and their roles; for admins. */
export function UsersScreen(): ReactNode {
  const session = useGatewaySession().data;
  const users = useQuery({
    queryKey: key,
    queryFn: async () => rowsOf(await askGateway('/api/users')),
    enabled: session?.hasLogins === true && session.role === 'admin',
  });
  const [open, setOpen] = useState<'add' | Row | null>(null);
  const [password, setPassword] = useState<{ readonly name: string; readonly password: string } | null>(null);
  const rows = useQueryRows(users, users.data);
  const columns = useMemo<readonly Column<Row>[]>(
    () => [
      {
        id: 'name',
        header: 'Name',
        width: 'minmax(10rem, 1.5fr)',
        cell: (row) => <strong className="font-semibold">{visibleText(text(row, 'name') ?? row.id)}</strong>,
        narrow: 'title',
        plain: (row) => text(row, 'name'),
      },
      {
        id: 'role',
        header: 'Role',
        width: '7rem',
        cell: (row) => text(row, 'role') ?? '–',
        narrow: 'title',
        plain: (row) => text(row, 'role'),
      },
      {
        id: 'state',
        header: 'State',
        width: '10rem',
        cell: (row) =>
          row.fields.disabled === true ? (
            <StateMark tone="quiet" sign="stopped">
              disabled
            </StateMark>
          ) : (
            <StateMark tone="ok" sign="good">
              may log in
            </StateMark>
          ),
        narrow: 'line',
        plain: (row) => (row.fields.disabled === true ? 'disabled' : 'may log in'),
      },
      {
        id: 'last',
        header: 'Last active',
        width: '9rem',
        cell: (row) => <Ago at={text(row, 'lastActiveAt')} never="never" />,
        narrow: 'line',
        plain: (row) => text(row, 'lastActiveAt'),
      },
      {
        id: 'act',
        header: 'Act',
        width: '7rem',
        cell: (row) => (
          <Button isSmall onClick={() => setOpen(row)}>
            Change…
          </Button>
        ),
        narrow: 'line',
      },
    ],
    [],
  );
  const refresh = () => void queryClient.invalidateQueries({ queryKey: key });
  if (session === undefined) return <Skeleton lines={5} label="Asking the gateway" />;
  if (!session.hasLogins) {
    return (
      <>
        <ScreenHead title="Users" />
        <Panel isFlush>
          <EmptyState title="This gateway has no logins">
            Everybody who reaches it on this machine is an operator. Turn logins on in gateway.yaml.
          </EmptyState>
        </Panel>
      </>
    );
  }
  if (session.role !== 'admin') {
    return (
      <>
        <ScreenHead title="Users" />
        <Panel isFlush>
          <EmptyState title="Users are for admins">Your role is {session.role ?? 'none'}. Ask an admin.</EmptyState>
        </Panel>
      </>
    );
  }
  return (
    <>
      <ScreenHead
        title="Users"
        lead="A viewer reads; an operator programs, cleans up and overrides; an admin also manages users. The agent decides each verb itself."
        actions={
          <Button look="primary" onClick={() => setOpen('add')}>
            <Plus aria-hidden className="size-3.5" />
            Add a user…
          </Button>
        }
      />
      <ListFrame
        label="Users"
        one="user"
        many="users"
        storageKey="users"
        columns={columns}
        rows={rows}
        rowId={(row) => row.id}
        rowName={(row) => text(row, 'name') ?? row.id}
        isFiltered={false}
        onClearFilters={() => undefined}
        empty={<EmptyState title="There is no user" />}
      />
      <div className="mt-5">
        <UsersLog />
      </div>
      {open === 'add' ? (
        <AddUserDialog onClose={() => setOpen(null)} onDone={refresh} onPassword={setPassword} />
      ) : null}
      {open !== null && open !== 'add' ? (
        <ChangeUserDialog row={open} onClose={() => setOpen(null)} onDone={refresh} onPassword={setPassword} />
      ) : null}
      {password === null ? null : (
        <Dialog
          title={`First password of ${password.name}`}
          onClose={() => setPassword(null)}
          footer={<Button onClick={() => setPassword(null)}>I have kept it</Button>}
        >
          <Note tone="warn" title="It is shown this once, and must be changed at the first login" />
          <p className="mt-3 flex items-center gap-2">
            <Verbatim text={password.password} wraps />
            <CopyButton text={password.password} what="password" />
          </p>
        </Dialog>
      )}
    </>
  );
}

'use client';

import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api } from '../../client/api.ts';
import { queryClient } from '../../client/query-client.ts';
import { useAct } from '../../client/use-act.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { shellWord } from '../../ui/command-line.tsx';
import { TextField } from '../../ui/field.tsx';
import { notify } from '../../ui/notices.ts';
import { useReasonAndTime } from '../../ui/reason-and-time.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** A temporary exception on a group: an address added or excluded until a time, whatever the sources say. */
export function OverrideDialog({
  group: givenGroup = '',
  address: givenAddress = '',
  kind: givenKind = 'exclude',
  onClose,
}: {
  readonly group?: string;
  readonly address?: string;
  readonly kind?: 'add' | 'exclude';
  readonly onClose: () => void;
}): ReactNode {
  const [kind, setKind] = useState(givenKind);
  const [group, setGroup] = useState(givenGroup);
  const [address, setAddress] = useState(givenAddress);
  const { reason, forSeconds, fields } = useReasonAndTime(true);
  const act = useAct('overrides.add');
  const add = useMutation(api.overrides.add.mutationOptions());
  const send = async () => {
    if (forSeconds === undefined) return;
    await add.mutateAsync({ kind, group: group.trim(), address: address.trim(), forSeconds, reason });
    await Promise.all([
      queryClient.invalidateQueries(api.overrides.pathFilter()),
      queryClient.invalidateQueries(api.explain.pathFilter()),
    ]);
    notify({
      tone: 'ok',
      text: `${address} is ${kind === 'add' ? 'added to' : 'excluded from'} ${visibleText(group)}`,
      link: { href: '/overrides/', label: 'All overrides' },
    });
  };
  return (
    <ActDialog
      title={kind === 'add' ? 'Add an address for a time' : 'Exclude an address for a time'}
      what="It beats every source until it ends; then the sources decide again."
      command={`setkeeper override ${kind} ${shellWord(group.trim() || 'GROUP')} ${shellWord(address.trim() || 'ADDRESS')} --for ${forSeconds ?? 3_600}s --reason ${shellWord(reason === '' ? 'why' : reason)}`}
      label={kind === 'add' ? 'Add' : 'Exclude'}
      blockedBecause={
        act.blockedBecause ??
        (group.trim() === '' || address.trim() === ''
          ? 'Name the group and the address'
          : reason === ''
            ? 'Say why first'
            : forSeconds === undefined
              ? 'Say for how long'
              : undefined)
      }
      onSend={send}
      onClose={onClose}
    >
      <Segmented
        label="What"
        value={kind}
        choices={[
          { value: 'exclude', label: 'Exclude' },
          { value: 'add', label: 'Add' },
        ]}
        onChange={setKind}
      />
      <TextField
        label="Group"
        placeholder="tag:web"
        value={group}
        onChange={(event) => setGroup(event.target.value)}
        isMono
        {...(givenGroup === '' ? { 'data-autofocus': '' } : {})}
      />
      <TextField
        label="Address"
        hint="An address; a CIDR only where the set's type is hash:net"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        isMono
      />
      {fields}
    </ActDialog>
  );
}

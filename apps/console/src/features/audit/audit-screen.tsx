'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsString, useQueryState } from 'nuqs';
import { type ReactNode, useState } from 'react';
import { api, client } from '../../client/api.ts';
import { faultOf } from '../../client/api-fault.ts';
import type { AuditEntry } from '../../client/api-types.ts';
import { Ago, At } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { counted } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FaultNote } from '../../ui/fault-note.tsx';
import { Note } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/panel.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { allRows } from '../../ui/table/all-rows.ts';
import type { Column } from '../../ui/table/column.ts';
import { ListFrame } from '../../ui/table/list-frame.tsx';
import { type CursorList, useCursorPages } from '../../ui/table/use-cursor-pages.ts';
import { filterInput, useListState } from '../../ui/table/use-list-state.ts';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';
import { inputWords } from './input-words.ts';

const runIn = /\brun (\S+)$/u;

function Result({ text }: { readonly text: string }): ReactNode {
  const run = runIn.exec(text)?.[1];
  const isBad = !/^(?:done|succeeded|running|partly)/u.test(text);
  return (
    <StateMark tone={isBad ? 'bad' : 'ok'} sign={isBad ? 'bad' : 'good'}>
      {run === undefined ? (
        visibleText(text)
      ) : (
        <AppLink className="link" href={runHref(run)}>
          {visibleText(text)}
        </AppLink>
      )}
    </StateMark>
  );
}

const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'at',
    header: 'When',
    width: '8rem',
    cell: (entry) => <Ago at={entry.at} />,
    narrow: 'title',
    plain: (entry) => entry.at,
  },
  {
    id: 'time',
    header: 'Time',
    width: '11rem',
    cell: (entry) => <At at={entry.at} />,
    isHiddenAtFirst: true,
    plain: (entry) => entry.at,
  },
  {
    id: 'actor',
    header: 'Who',
    width: 'minmax(9rem, 1fr)',
    cell: (entry) => (
      <span>
        <strong className="font-semibold">{visibleText(entry.actor)}</strong>{' '}
        <span className="text-ink-3">{entry.role}</span>
        {entry.claimed === undefined ? null : <span className="text-ink-3"> (says {visibleText(entry.claimed)})</span>}
      </span>
    ),
    narrow: 'title',
    plain: (entry) => (entry.claimed === undefined ? entry.actor : `${entry.actor} (says ${entry.claimed})`),
  },
  {
    id: 'role',
    header: 'Role',
    width: '6rem',
    cell: (entry) => entry.role,
    isHiddenAtFirst: true,
    plain: (entry) => entry.role,
  },
  {
    id: 'verb',
    header: 'Verb',
    width: '10rem',
    cell: (entry) => <Verbatim text={entry.verb} />,
    narrow: 'title',
    plain: (entry) => entry.verb,
  },
  {
    id: 'input',
    header: 'With',
    width: 'minmax(14rem, 2.4fr)',
    cell: (entry) => <Verbatim text={inputWords(entry.input)} wraps className="text-xs text-ink-2" />,
    narrow: 'line',
    plain: (entry) => entry.input,
  },
  {
    id: 'result',
    header: 'Result',
    width: 'minmax(10rem, 1.2fr)',
    cell: (entry) => <Result text={entry.result} />,
    narrow: 'line',
    plain: (entry) => entry.result,
  },
  {
    id: 'via',
    header: 'Through',
    width: '7.5rem',
    cell: (entry) => entry.via,
    narrow: 'line',
    plain: (entry) => entry.via,
  },
  {
    id: 'request',
    header: 'Request',
    width: '8rem',
    cell: (entry) => (
      <span className="inline-flex items-center gap-1">
        <Verbatim text={entry.requestId.slice(0, 10)} className="text-xs" />
        <CopyButton text={entry.requestId} what="request id" />
      </span>
    ),
    isHiddenAtFirst: true,
    plain: (entry) => entry.requestId,
  },
];

/** Audit: who did what, with what result, refused acts too; and whether the chain of entries is whole. */
export function AuditScreen(): ReactNode {
  const { filter, setFilter } = useListState({ by: 'at', isDescending: true });
  const [actor, setActor] = useQueryState('actor', parseAsString);
  const [isVerifying, setVerifying] = useState(false);
  const list: CursorList<Parameters<typeof client.audit.list.query>[0], AuditEntry> = {
    inputFor: (page) => ({ ...page, ...filterInput(filter), ...(actor === null ? {} : { actor }) }),
    keyFor: (input) => api.audit.list.queryKey(input),
    ask: client.audit.list.query,
  };
  const rows = useCursorPages(list);
  return (
    <>
      <ScreenHead
        title="Audit"
        lead="Who did what, written before it is done and again when it is; refused acts too. A claim is what the command line said, never proof."
        actions={<Button onClick={() => setVerifying(true)}>Verify the chain</Button>}
      />
      {isVerifying ? <Verification /> : null}
      <ListFrame
        label="Audit"
        one="entry"
        many="entries"
        noun="audit"
        storageKey="audit"
        columns={columns}
        rows={rows}
        rowId={(entry) => entry.id}
        rowName={(entry) => `${entry.actor} ${entry.verb}`}
        isTall
        isFiltered={filter !== '' || actor !== null}
        onClearFilters={() => {
          setFilter('');
          void setActor(null);
        }}
        allRows={(signal, onProgress) => allRows(list, { signal, onProgress })}
        filters={
          <>
            <SearchBox
              isMain
              label="Filter the audit"
              placeholder="a person, a verb, a group, a reason"
              value={filter}
              onChange={setFilter}
            />
            {actor === null ? null : (
              <Button isSmall onClick={() => void setActor(null)}>
                only {visibleText(actor)} ×
              </Button>
            )}
          </>
        }
        empty={
          <EmptyState title="Nobody has done anything yet">Every act and every refusal is written here.</EmptyState>
        }
      />
    </>
  );
}

function Verification(): ReactNode {
  const verify = useQuery(api.audit.verify.queryOptions(undefined, { gcTime: 0, staleTime: 0 }));
  return (
    <div role="status" aria-live="polite" className="mb-4">
      {verify.data === undefined ? (
        verify.error === null ? (
          <Note tone="info" title="Checking every entry against the one before it" />
        ) : (
          <FaultNote
            fault={faultOf(verify.error)}
            what="The chain could not be checked"
            onRetry={() => void verify.refetch()}
          />
        )
      ) : (
        <Note
          tone={verify.data.ok ? 'ok' : 'bad'}
          title={
            verify.data.ok
              ? `The chain of ${counted(verify.data.entries, 'entry', 'entries')} is whole`
              : `The chain is broken${verify.data.brokenAt === undefined ? '' : ` at ${verify.data.brokenAt}`}`
          }
        >
          {visibleText(verify.data.detail)} Head: <Verbatim text={`${verify.data.head.slice(0, 16)}…`} />{' '}
          <CopyButton text={verify.data.head} what="head of the chain" />
        </Note>
      )}
    </div>
  );
}

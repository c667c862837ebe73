'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { faultOf } from '../../client/api-fault.ts';
import { askGateway } from '../../client/gateway-request.ts';
import { queryClient } from '../../client/query-client.ts';
import { Ago } from '../../ui/ago.tsx';
import { Button } from '../../ui/button.tsx';
import { notify } from '../../ui/notices.ts';
import { Panel } from '../../ui/panel.tsx';
import { QueryBody } from '../../ui/query-body.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { rowsOf, text } from './gateway-rows.ts';

const key = ['gateway', 'sessions'];

/** One's own sessions, each of which can be ended; and all of them at once. */
export function SessionsPanel(): ReactNode {
  const sessions = useQuery({ queryKey: key, queryFn: async () => rowsOf(await askGateway('/api/sessions')) });
  const end = async (id: string) => {
    try {
      await askGateway(`/api/sessions/${encodeURIComponent(id)}/end`, {});
      notify({ tone: 'ok', text: 'The session has ended' });
    } catch (error) {
      notify({ tone: 'bad', text: `The session goes on: ${faultOf(error).message}` });
    }
    await queryClient.invalidateQueries({ queryKey: key });
  };
  const endAll = async () => {
    try {
      await askGateway('/api/logout', { everywhere: true });
      window.location.assign('/login/');
    } catch (error) {
      notify({ tone: 'bad', text: `Not logged out: ${faultOf(error).message}` });
    }
  };
  return (
    <Panel
      isFlush
      title="Your sessions"
      aside={
        <Button isSmall onClick={() => void endAll()}>
          Log out everywhere
        </Button>
      }
    >
      <QueryBody query={sessions} what="Your sessions" lines={3}>
        {(rows) => (
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
                <div className="min-w-0">
                  <p className="break-words">
                    {visibleText(text(row, 'address') ?? '')} ·{' '}
                    {visibleText((text(row, 'userAgent') ?? '').slice(0, 80))}
                  </p>
                  <p className="text-xs text-ink-3">
                    since <Ago at={text(row, 'startedAt')} />, last active <Ago at={text(row, 'lastActiveAt')} />, ends{' '}
                    <Ago at={text(row, 'absoluteEndsAt')} />
                  </p>
                </div>
                {row.fields.isThis === true ? (
                  <span className="font-semibold text-ink-2">this one</span>
                ) : (
                  <Button isSmall onClick={() => void end(row.id)}>
                    End
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </QueryBody>
    </Panel>
  );
}

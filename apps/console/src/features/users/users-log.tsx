'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { askGateway } from '../../client/gateway-request.ts';
import { Ago } from '../../ui/ago.tsx';
import { Panel } from '../../ui/panel.tsx';
import { QueryBody, SeenAt } from '../../ui/query-body.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { rowsOf, text } from '../settings/gateway-rows.ts';

/** Who logged in, from where, and what admins did with users, the newest first. */
export function UsersLog(): ReactNode {
  const log = useQuery({
    queryKey: ['gateway', 'users', 'log'],
    queryFn: async () => rowsOf(await askGateway('/api/users/log')),
  });
  return (
    <Panel isFlush title="Logins and changes of users" aside={<SeenAt query={log} />}>
      <QueryBody query={log} what="The log" lines={4}>
        {(rows) => (
          <ScrollRegion label="Rows of the log" className="max-h-96">
            <table className="w-full min-w-[40rem] text-left">
              <thead className="sticky top-0 bg-surface text-xs text-ink-3">
                <tr>
                  <th className="px-4 py-2 font-medium">When</th>
                  <th className="py-2 font-medium">Who</th>
                  <th className="py-2 font-medium">Act</th>
                  <th className="py-2 font-medium">On</th>
                  <th className="py-2 font-medium">From</th>
                  <th className="px-4 py-2 font-medium">Result</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id} className="border-t border-line">
                    <td className="px-4 py-1.5">
                      <Ago at={text(row, 'at')} />
                    </td>
                    <td className="py-1.5">{visibleText(text(row, 'actor') ?? '')}</td>
                    <td className="py-1.5">{text(row, 'act')}</td>
                    <td className="py-1.5">{visibleText(text(row, 'subject') ?? '')}</td>
                    <td className="py-1.5">
                      <Verbatim text={text(row, 'address') ?? ''} />
                    </td>
                    <td className="px-4 py-1.5">{visibleText(text(row, 'result') ?? '')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )}
      </QueryBody>
    </Panel>
  );
}

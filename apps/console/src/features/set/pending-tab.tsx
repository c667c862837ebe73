import type { ReactNode } from 'react';
import type { ParkedMember, SetDetail } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { AppLink } from '../../ui/app-link.tsx';
import { count } from '../../ui/count.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Note } from '../../ui/note.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Verbatim } from '../../ui/verbatim.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { runHref } from '../../words/addresses.ts';

const cutAt = 1_000;

/** Exactly what is pending, parked and without room. */
export function PendingTab({ set }: { readonly set: SetDetail }): ReactNode {
  const isQuiet =
    set.pending.adds + set.pending.dels + set.parked + set.overCapacity === 0 && set.blocked === undefined;
  if (isQuiet) {
    return (
      <Panel isFlush>
        <EmptyState title="Nothing is pending">
          What the model wants is acknowledged, nothing was rejected, and there is room.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <div className="flex flex-col gap-4">
      {set.blocked === undefined ? null : (
        <Note tone="warn" title={`It cannot be programmed now: ${set.blocked}`}>
          {set.blockedDetail === undefined ? null : visibleText(set.blockedDetail)}
        </Note>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <MemberPanel title="To add" members={set.pendingAdds} total={set.pending.adds} mark="+" tone="text-ok" />
        <MemberPanel title="To remove" members={set.pendingDels} total={set.pending.dels} mark="−" tone="text-bad" />
      </div>
      {set.overCapacity === 0 ? null : (
        <MemberPanel
          title="Without room"
          members={set.overCapacityMembers}
          total={set.overCapacity}
          mark="·"
          tone="text-warn"
        />
      )}
      {set.parked === 0 ? null : <ParkedPanel parked={set.parkedMembers} total={set.parked} />}
    </div>
  );
}

function MemberPanel({
  title,
  members,
  total,
  mark,
  tone,
}: {
  readonly title: string;
  readonly members: readonly string[];
  readonly total: number;
  readonly mark: string;
  readonly tone: string;
}): ReactNode {
  return (
    <Panel isFlush title={`${title}: ${count(total)}`}>
      {total === 0 ? (
        <p className="p-4 text-ink-3">none</p>
      ) : (
        <ScrollRegion label={title} className="max-h-80">
          <ul className="px-4 py-2">
            {members.map((member) => (
              <li key={member} className="flex gap-2 leading-6">
                <span aria-hidden className={`font-mono font-semibold ${tone}`}>
                  {mark}
                </span>
                <Verbatim text={member} wraps />
              </li>
            ))}
            {total > members.length ? (
              <li className="text-ink-3">
                and {count(total - members.length)} more; the first {count(cutAt)} are shown, Members lists all by state
              </li>
            ) : null}
          </ul>
        </ScrollRegion>
      )}
    </Panel>
  );
}

function ParkedPanel({
  parked,
  total,
}: {
  readonly parked: readonly ParkedMember[];
  readonly total: number;
}): ReactNode {
  return (
    <Panel isFlush title={`Parked: ${count(total)}, rejected by the kernel and tried again`}>
      <ScrollRegion label="Parked" className="max-h-96">
        <table className="w-full min-w-[44rem] text-left">
          <thead className="sticky top-0 bg-surface text-xs text-ink-3">
            <tr>
              <th className="px-4 py-2 font-medium">Operation</th>
              <th className="py-2 font-medium">The kernel&apos;s words</th>
              <th className="py-2 font-medium">Since</th>
              <th className="py-2 text-right font-medium">Attempts</th>
              <th className="py-2 pl-4 font-medium">Next</th>
              <th className="px-4 py-2 font-medium">Run</th>
            </tr>
          </thead>
          <tbody>
            {parked.map((one) => (
              <tr key={`${one.op} ${one.member}`} className="border-t border-line">
                <td className="px-4 py-1.5">
                  {one.op} <Verbatim text={one.member} wraps />
                </td>
                <td className="py-1.5 pr-3">
                  <Verbatim text={one.message} wraps className="font-semibold" />{' '}
                  <AppLink className="link text-xs" href={`/glossary/#${one.code}`}>
                    {one.code}
                  </AppLink>
                </td>
                <td className="py-1.5">
                  <Ago at={one.since} />
                </td>
                <td className="py-1.5 text-right">{count(one.attempts)}</td>
                <td className="py-1.5 pl-4">
                  <Ago at={one.retryAt} />
                </td>
                <td className="px-4 py-1.5">
                  {one.run === null ? (
                    '–'
                  ) : (
                    <AppLink className="link" href={runHref(one.run)}>
                      {one.run}
                    </AppLink>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Panel>
  );
}

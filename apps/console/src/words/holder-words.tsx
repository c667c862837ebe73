import type { ReactNode } from 'react';
import type { Holder } from '../client/api-types.ts';
import { CommandLine } from '../ui/command-line.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { grouped } from '../ui/count.ts';
import { Verbatim } from '../ui/verbatim.tsx';

/** One holder: what it is, where, its rule in the tool's own words, and the command that removes it. */
export function HolderWords({
  holder,
  isPossible = false,
  isFull = false,
}: {
  readonly holder: Holder;
  readonly isPossible?: boolean;
  readonly isFull?: boolean;
}): ReactNode {
  return (
    <div className="flex flex-col gap-0.5 py-0.5">
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{holder.kind}</span>
        <Verbatim text={holder.where} wraps />
        {holder.count > 1 ? <span className="text-ink-3">× {holder.count}</span> : null}
        {isPossible ? <span className="text-xs text-ink-3">may hold it; not proved</span> : null}
        {holder.packets === undefined ? null : (
          <span className="text-xs text-ink-3">{grouped(holder.packets)} packets</span>
        )}
        {holder.removeWith === undefined || isFull ? null : (
          <CopyButton text={holder.removeWith} what="command that removes this holder" />
        )}
      </div>
      {holder.rule === undefined ? null : <Verbatim text={holder.rule} wraps className="text-xs text-ink-2" />}
      {holder.removeWith === undefined || !isFull ? null : (
        <span className="text-xs text-ink-3">
          removed with <CommandLine command={holder.removeWith} what="command that removes this holder" />
        </span>
      )}
    </div>
  );
}

/** Holders, or that there are none. */
export function HoldersWords({
  holders,
  possible = [],
  isFull = false,
}: {
  readonly holders: readonly Holder[];
  readonly possible?: readonly Holder[];
  /** Commands are written out, not only copied. */
  readonly isFull?: boolean;
}): ReactNode {
  if (holders.length === 0 && possible.length === 0) return <span className="text-ink-3">none found</span>;
  return (
    <ul className="divide-y divide-line">
      {holders.map((holder) => (
        <li key={`${holder.kind} ${holder.where}`}>
          <HolderWords holder={holder} isFull={isFull} />
        </li>
      ))}
      {possible.map((holder) => (
        <li key={`possible ${holder.kind} ${holder.where}`}>
          <HolderWords holder={holder} isPossible />
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { AppLink } from '../ui/app-link.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { setHref } from './addresses.ts';

/** A group's id, linked to its set. The kind stands back, the name stands out. */
export function GroupLink({
  group,
  family,
  tab,
}: {
  readonly group: string;
  readonly family?: string | null;
  readonly tab?: string;
}): ReactNode {
  const colon = group.indexOf(':');
  return (
    <AppLink href={setHref(group, family, tab)} className="row-link" title={group}>
      <span className="font-normal text-ink-3">{group.slice(0, colon + 1)}</span>
      <Verbatim text={group.slice(colon + 1)} className="!font-sans !text-[1em]" />
    </AppLink>
  );
}

/** Several groups, the first few with links and the rest as a number. */
export function GroupLinks({
  groups,
  max = 3,
}: {
  readonly groups: readonly string[];
  readonly max?: number;
}): ReactNode {
  if (groups.length === 0) return <span className="text-ink-3">–</span>;
  return (
    <span>
      {groups.slice(0, max).map((group) => (
        <span key={group} className="mr-2">
          <GroupLink group={group} />{' '}
        </span>
      ))}
      {groups.length > max ? <span className="text-ink-3">+{groups.length - max}</span> : null}
    </span>
  );
}

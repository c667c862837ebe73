import type { ReactNode } from 'react';
import type { Owner } from '../client/api-types.ts';
import { AppLink } from '../ui/app-link.tsx';
import { Verbatim } from '../ui/verbatim.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { screenHref } from './addresses.ts';

/** Why a member is in a group: profile and endpoint, the document's entry, or an override; with its source. */
export function OwnerWords({ owner }: { readonly owner: Owner }): ReactNode {
  return (
    <span>
      {owner.endpoint === undefined ? null : (
        <>
          <AppLink href={screenHref('/endpoints/', { id: owner.endpoint })} className="link">
            <Verbatim text={owner.endpoint} wraps />
          </AppLink>{' '}
        </>
      )}
      {owner.profile === undefined ? null : (
        <>
          <span className="text-ink-2">by profile</span>{' '}
          <AppLink href={screenHref('/profiles/', { id: owner.profile })} className="link">
            <Verbatim text={owner.profile} wraps />
          </AppLink>{' '}
        </>
      )}
      {owner.object === undefined ? null : (
        <>
          <Verbatim text={owner.object} wraps />{' '}
        </>
      )}
      {owner.override === undefined ? null : (
        <>
          <AppLink href="/overrides/" className="link">
            override {owner.override}
          </AppLink>{' '}
        </>
      )}
      <span className="text-xs text-ink-3">{visibleText(owner.file ?? owner.source)}</span>
    </span>
  );
}

/** All owners, the first two whole and the rest as a number. */
export function OwnersWords({
  owners,
  max = 2,
}: {
  readonly owners: readonly Owner[];
  readonly max?: number;
}): ReactNode {
  if (owners.length === 0) return <span className="text-ink-3">no owner</span>;
  return (
    <span>
      {owners.slice(0, max).map((owner) => (
        <span
          key={`${owner.source} ${owner.endpoint ?? ''} ${owner.profile ?? ''} ${owner.object ?? ''} ${owner.override ?? ''}`}
          className="mr-3"
        >
          <OwnerWords owner={owner} />{' '}
        </span>
      ))}
      {owners.length > max ? <span className="text-ink-3">and {owners.length - max} more</span> : null}
    </span>
  );
}

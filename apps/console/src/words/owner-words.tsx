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
          <OwningObject text={owner.object} />{' '}
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

/** A network, list or host by its key, `network/corp`; linked where the model has a screen for its kind. */
function OwningObject({ text }: { readonly text: string }): ReactNode {
  const slash = text.indexOf('/');
  const screen = screenOf(text.slice(0, slash));
  if (screen === null) return <Verbatim text={text} wraps />;
  return (
    <AppLink href={screenHref(screen, { id: text.slice(slash + 1) })} className="link">
      <Verbatim text={text} wraps />
    </AppLink>
  );
}

function screenOf(kind: string): string | null {
  if (kind === 'network') return '/networks/';
  return kind === 'list' ? '/lists/' : null;
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

import type { ReactNode } from 'react';
import type { EndpointRow } from '../../client/api-types.ts';
import { Ago } from '../../ui/ago.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import { visibleText } from '../../ui/visible-text.ts';

/** What is known of where an object of the model stands. */
export type ObjectOrigin = Pick<
  EndpointRow,
  'source' | 'file' | 'line' | 'commit' | 'since' | 'conflicts' | 'lastGood'
>;

/** Where an object stands: file and line, or its source. */
export function originText(origin: ObjectOrigin): string {
  const place =
    origin.file === undefined ? origin.source : `${origin.file}${origin.line === undefined ? '' : `:${origin.line}`}`;
  return visibleText(place);
}

/** Where an object stands, whether it is a last good value, and which sources lost against it. */
export function OriginWords({ origin }: { readonly origin: ObjectOrigin }): ReactNode {
  return (
    <span className="*:not-first:ml-2">
      <span
        className="wrap-anywhere text-ink-2"
        title={origin.commit === undefined ? origin.source : `${origin.source}, commit ${origin.commit}`}
      >
        {originText(origin)}
      </span>
      {origin.lastGood ? (
        <StateMark tone="warn" sign="waiting" title="Its document has a fault now; this is the last value without one">
          last good
        </StateMark>
      ) : null}
      {origin.conflicts.length === 0 ? null : (
        <StateMark tone="warn" sign="warning" title={`Also in ${origin.conflicts.join(', ')}; this source comes first`}>
          wins over {origin.conflicts.length}
        </StateMark>
      )}
    </span>
  );
}

/** The origin as a list of facts, for a panel. */
export function OriginFacts({ origin }: { readonly origin: ObjectOrigin }): ReactNode {
  return (
    <p className="wrap-anywhere text-xs text-ink-3">
      <OriginWords origin={origin} /> from {visibleText(origin.source)}
      {origin.commit === undefined ? '' : `, commit ${visibleText(origin.commit)}`}, since{' '}
      <Ago at={origin.since} never="always" />
    </p>
  );
}

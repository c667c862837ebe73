import type { ReactNode } from 'react';
import type { ApiFault } from '../client/api-fault.ts';
import { AppLink } from './app-link.tsx';
import { Button } from './button.tsx';
import { Note } from './note.tsx';
import { Verbatim } from './verbatim.tsx';

/** Why something could not be shown or done: code, cause, next step, request id. */
export function FaultNote({
  fault,
  onRetry,
  what,
}: {
  readonly fault: ApiFault;
  readonly onRetry?: (() => void) | undefined;
  /** What was not shown or done: "The sets could not be read". */
  readonly what?: string;
}): ReactNode {
  const isForbidden = fault.code === 'not-permitted';
  return (
    <Note
      isAlert
      tone={isForbidden ? 'quiet' : 'bad'}
      title={isForbidden ? 'Your role may not see or do this' : (what ?? 'This could not be done')}
      action={onRetry === undefined ? undefined : <Button onClick={onRetry}>Try again</Button>}
    >
      <p className="break-words">{fault.message}</p>
      <CameAndExpected details={fault.details} />
      {fault.remedy === undefined ? null : <p className="mt-1 break-words">{fault.remedy}</p>}
      <p className="mt-1 text-xs text-ink-2">
        <AppLink className="link" href={`/glossary/#${fault.code}`}>
          {fault.code}
        </AppLink>
        {fault.requestId === undefined ? null : (
          <>
            {' · request '}
            <Verbatim text={fault.requestId} wraps />
          </>
        )}
      </p>
    </Note>
  );
}

/** Of a request that the gateway refused for where it came from: what came, and what was expected. */
function CameAndExpected({ details }: { readonly details: ApiFault['details'] }): ReactNode {
  const came = details?.came;
  const expected = details?.expected;
  if (typeof came !== 'string' || typeof expected !== 'string') return null;
  return (
    <p className="mt-1 break-words">
      It came from <Verbatim text={came} wraps />; expected was <Verbatim text={expected} wraps />.
    </p>
  );
}

'use client';

import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { TextArea, TextField } from './field.tsx';
import { parseTimeSpan } from './time-span.ts';

/** Why, and for how long. */
export interface ReasonAndTime {
  readonly reason: string;
  readonly forSeconds: number | undefined;
  readonly fields: ReactNode;
}

const spans = ['15m', '1h', '4h', '1d', '7d'];

/** The fields for a reason and, where `hasTime`, how long it lasts; and what they hold. */
export function useReasonAndTime(hasTime: boolean): ReasonAndTime {
  const [reason, setReason] = useState('');
  const [span, setSpan] = useState('1h');
  const forSeconds = parseTimeSpan(span);
  const fields = (
    <>
      <TextArea
        label="Reason, kept in the audit"
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        data-autofocus=""
      />
      {hasTime ? (
        <div className="flex flex-wrap items-end gap-2">
          <TextField
            label="For how long"
            hint="30s, 5m, 1h, 7d"
            problem={forSeconds === undefined ? 'A number and s, m, h or d; at most a year' : undefined}
            value={span}
            onChange={(event) => setSpan(event.target.value)}
            className="w-40"
          />
          <div className="flex gap-1 pb-5">
            {spans.map((one) => (
              <Button key={one} isSmall look={one === span ? 'primary' : 'plain'} onClick={() => setSpan(one)}>
                {one}
              </Button>
            ))}
          </div>
        </div>
      ) : null}
    </>
  );
  return { reason: reason.trim(), forSeconds, fields };
}

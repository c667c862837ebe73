'use client';

import { type ReactNode, useState } from 'react';
import type { PlanSelection, SetDetail } from '../../client/api-types.ts';
import { Button } from '../../ui/button.tsx';
import { count } from '../../ui/count.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { visibleText } from '../../ui/visible-text.ts';

const maxelemMax = 4_294_967_295;

/** Asks for a larger maxelem, then shows the plan that writes the set again with it. The number is kept. */
export function GrowDialog({
  set,
  onPlan,
  onClose,
}: {
  readonly set: SetDetail;
  readonly onPlan: (selection: PlanSelection) => void;
  readonly onClose: () => void;
}): ReactNode {
  const now = set.maxelem ?? 0;
  const [text, setText] = useState(String(2 ** Math.ceil(Math.log2(Math.max(now + 1, set.desired * 1.25)))));
  const wanted = Number(text.replaceAll(/[\s,]/gu, ''));
  const isGood = Number.isInteger(wanted) && wanted >= Math.max(1, set.desired) && wanted <= maxelemMax;
  const go = () => {
    if (isGood) onPlan({ groups: [set.group], reprogram: true, maxelem: wanted });
  };
  return (
    <Dialog
      title={`Grow ${visibleText(set.group)}`}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            onClick={go}
            blockedBecause={isGood ? undefined : 'Give a number that has room for every member'}
          >
            Show the plan
          </Button>
        </>
      }
    >
      <p className="mb-3">
        It has room for {count(now)} members and the model wants {count(set.desired)}. A set cannot grow in place: it is
        written whole beside the old one and swapped in, so no reader sees a gap.
      </p>
      <TextField
        label="New maxelem"
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') go();
        }}
        problem={isGood ? undefined : `A whole number from ${count(Math.max(1, set.desired))} to ${count(maxelemMax)}`}
        data-autofocus=""
      />
    </Dialog>
  );
}

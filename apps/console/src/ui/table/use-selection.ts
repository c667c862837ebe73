'use client';

import { parseAsArrayOf, parseAsString, useQueryState } from 'nuqs';
import { useCallback, useMemo, useState } from 'react';

/** Which rows are chosen, by id. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** Chooses or lets go of many at once. */
  readonly setAll: (ids: readonly string[], isChosen: boolean) => void;
  readonly clear: () => void;
}

const inAddressMax = 20;

/** A selection that lives in the URL while it is short, so that a link shows what was chosen. */
export function useSelection(): Selection {
  const [inAddress, setInAddress] = useQueryState('sel', parseAsArrayOf(parseAsString).withDefault([]));
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set(inAddress));
  const keep = useCallback(
    (next: ReadonlySet<string>) => {
      setIds(next);
      void setInAddress(next.size === 0 || next.size > inAddressMax ? null : [...next]);
    },
    [setInAddress],
  );
  return useMemo(
    () => ({
      ids,
      toggle: (id) => {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        keep(next);
      },
      setAll: (many, isChosen) => {
        const next = new Set(ids);
        for (const id of many) {
          if (isChosen) next.add(id);
          else next.delete(id);
        }
        keep(next);
      },
      clear: () => keep(new Set()),
    }),
    [ids, keep],
  );
}

'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the page runs in a browser: false in the exported file and while it is taken over, true after. */
export function useIsClient(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}

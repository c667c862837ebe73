import { ApiError } from '@setkeeper/api';
import type { Clock } from '../clock.ts';

/** Remembers what was used once, for as long as it could be used again. */
export interface ReplayGuard {
  /** False if this was taken before. `until`: milliseconds since 1970 after which it is refused for its age anyway. */
  takeOnce(id: string, until: number): boolean;
}

/** Acts of a minute that are remembered; more are refused rather than forgotten. */
const REMEMBERED_MAX = 50_000;

export function createReplayGuard(clock: Clock, rememberedMax: number = REMEMBERED_MAX): ReplayGuard {
  const taken = new Map<string, number>();

  const forgetOld = (): void => {
    const now = clock.now();
    for (const [id, until] of taken) if (until < now) taken.delete(id);
  };

  return {
    takeOnce: (id, until) => {
      if (taken.has(id)) return false;
      if (taken.size >= rememberedMax) forgetOld();
      if (taken.size >= rememberedMax)
        throw new ApiError('rate-limited', 'Too many acts in one minute.', { remedy: 'Try again in a minute.' });
      taken.set(id, until);
      return true;
    },
  };
}

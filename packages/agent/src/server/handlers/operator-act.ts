import type { Caller, Run } from '@setkeeper/api';
import type { Act } from '../../engine/operator-acts.ts';
import type { StartedRun } from '../../engine/runner.ts';

/** Who acts, for the record of a run: the name, and the login user that the CLI claims. */
export function actOf(
  caller: Caller,
  more: { readonly reason?: string | undefined; readonly digest?: string | undefined } = {},
): Act {
  const isClaimed = caller.claimed !== undefined && caller.claimed !== caller.name;
  return {
    actor: isClaimed ? `${caller.name} (${caller.claimed})` : caller.name,
    ...(more.reason === undefined ? {} : { reason: more.reason }),
    ...(more.digest === undefined ? {} : { digest: more.digest }),
  };
}

/** A run at once, or when it has ended. */
export const runOf = (started: StartedRun, waits: boolean): Run | Promise<Run> => (waits ? started.ended : started.run);

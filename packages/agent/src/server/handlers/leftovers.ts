import { ApiError, type Caller, type Handlers, type Leftover, mayAsk, verbs } from '@setkeeper/api';
import type { Cleanup } from '../../leftovers/cleanup.ts';
import { holdsText } from './kernel.ts';
import { actOf } from './operator-act.ts';

export interface LeftoversDependencies {
  readonly cleanup: Cleanup;
  readonly now: () => number;
  /** False: this agent only observes, and destroys nothing. */
  readonly isManaging: boolean;
}

/** What cleanup could remove, and the clean-up itself: exactly the eligible ones that were shown. */
export function leftoversHandlers(deps: LeftoversDependencies): Pick<Handlers, 'leftovers.list' | 'leftovers.cleanup'> {
  const { cleanup, now, isManaging } = deps;
  return {
    'leftovers.list': async ({ filter }, { caller }) => {
      const found = await cleanup.leftovers();
      const { digest } = cleanup.select(found, { names: [] });
      const items = found.rows
        .filter(({ name }) => holdsText(filter, name))
        .map((row) => ({ ...row, verbs: { 'leftovers.cleanup': mayCleanUp(row, caller, isManaging) } }));
      return { items, digest, at: new Date(now()).toISOString() };
    },

    'leftovers.cleanup': async ({ names, dryRun, digest, confirm, reason, wait }, { caller }) => {
      if (dryRun) {
        const found = await cleanup.leftovers();
        const selection = cleanup.select(found, { names });
        const { script, kept, sections } = selection;
        return { digest: selection.digest, eligible: sections.length, script, removed: [], kept: [...kept] };
      }
      if (!isManaging) throw observing();
      return cleanup.run({
        names,
        wait,
        ...actOf(caller, { reason }),
        ...(digest === undefined ? {} : { digest }),
        ...(confirm === undefined ? {} : { confirm }),
      });
    },
  };
}

const observing = (): ApiError =>
  new ApiError('observe-mode', 'This agent only observes: it destroys nothing.', {
    remedy: 'Set mode: manage in its configuration.',
  });

function mayCleanUp(row: Leftover, caller: Caller, isManaging: boolean): { allowed: boolean; reason?: string } {
  const verb = verbs['leftovers.cleanup'];
  if (!mayAsk(caller.role, verb)) return { allowed: false, reason: `It needs the role ${verb.role}.` };
  if (!isManaging) return { allowed: false, reason: 'This agent only observes.' };
  return row.eligible
    ? { allowed: true }
    : { allowed: false, ...(row.reason === undefined ? {} : { reason: row.reason }) };
}

import type { ProblemBoard } from '../problems/problem-board.ts';
import type { StoreWatcher } from '../store/open-store.ts';

/** Turns what the store tells into problems that stand until it is well again. */
export function storeProblems(path: string, problems: ProblemBoard, onBug: (error: unknown) => void): StoreWatcher {
  const room = `Make room on the disk of ${path}. It is tried again every 10 seconds.`;
  return {
    onSetAside: (what, { movedTo, reason }) =>
      problems.raise({
        code: 'store-set-aside',
        subject: what,
        message: `The ${what} was damaged (${reason}); it was moved to ${movedTo} and a new one was begun.`,
        ...(what === 'store'
          ? {
              consequence: 'Nothing is swept and removals wait until an operator says that the model is complete.',
              remedy:
                'Look at what the sources say and at what is held, then accept each source with `setkeeper source accept NAME --reason R`.',
            }
          : {
              consequence: 'Runs, changes and drift from before are not shown.',
              remedy: 'Nothing is to be done; keep the file if you want to look into it.',
            }),
      }),
    onHistory: (why) => {
      if (why === null) return problems.clear('history-paused', path);
      problems.raise({
        code: 'history-paused',
        subject: path,
        message: `History is not written: ${why}`,
        consequence:
          'Programming goes on. Runs and changes of this time are kept in memory for a while, then forgotten.',
        remedy: room,
      });
    },
    onAudit: (why) => {
      if (why === null) return problems.clear('audit-paused', path);
      problems.raise({
        code: 'audit-paused',
        subject: path,
        message: `The audit is not written: ${why}`,
        consequence: 'Acts go on and are kept in memory until there is room; they are lost if the agent ends before.',
        remedy: room,
      });
    },
    onFacts: (why) => {
      if (why === null) return problems.clear('disk-full', path);
      problems.raise({
        code: 'disk-full',
        subject: path,
        message: `The store takes no more: ${why}`,
        consequence: 'Holds, overrides, pins and held changes stand in memory; they are lost if the agent ends before.',
        remedy: room,
      });
    },
    onBug,
  };
}

import type { Problem, ProblemCode } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { ProblemBoard } from './problem-board.ts';
import { severityOf } from './severity-of.ts';

const RANK: Readonly<Record<Problem['severity'], number>> = { critical: 0, warning: 1, notice: 2 };

/** Who hears of problems that come and go, such as the log. */
export interface ProblemEars {
  readonly onRaised?: (problem: Problem) => void;
  readonly onCleared?: (problem: Problem) => void;
}

/** The board in memory; each problem that comes or goes is an event. */
export function createProblemBoard(clock: Clock, events: EventBus, ears: ProblemEars = {}): ProblemBoard {
  const byCode = new Map<ProblemCode, Map<string, Problem>>();

  const remove = (code: ProblemCode, subject: string): void => {
    const ofCode = byCode.get(code);
    const problem = ofCode?.get(subject);
    if (ofCode === undefined || problem === undefined) return;
    ofCode.delete(subject);
    if (ofCode.size === 0) byCode.delete(code);
    events.emit({ type: 'problem-cleared', subject, message: code });
    ears.onCleared?.(problem);
  };

  return {
    raise: ({ code, subject, message, remedy, consequence }) => {
      const ofCode = byCode.get(code) ?? new Map<string, Problem>();
      byCode.set(code, ofCode);
      const known = ofCode.get(subject);
      const problem: Problem = {
        code,
        severity: severityOf[code],
        subject,
        message,
        since: known?.since ?? new Date(clock.now()).toISOString(),
        remedy,
        ...(consequence === undefined ? {} : { consequence }),
      };
      ofCode.set(subject, problem);
      if (known === undefined) {
        events.emit({ type: 'problem-raised', subject, message: code });
        ears.onRaised?.(problem);
      } else if (known.message !== message) events.emit({ type: 'status-changed' });
    },
    clear: remove,
    clearExcept: (code, still) => {
      for (const subject of byCode.get(code)?.keys() ?? []) if (!still.has(subject)) remove(code, subject);
    },
    list: () =>
      [...byCode.values()]
        .flatMap((ofCode) => [...ofCode.values()])
        .sort((one, other) => RANK[one.severity] - RANK[other.severity] || (one.since < other.since ? -1 : 1)),
  };
}

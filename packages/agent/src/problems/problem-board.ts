import type { Problem, ProblemCode } from '@setkeeper/api';

/** The problems that stand now, one per code and subject. Raising again keeps `since`. */
export interface ProblemBoard {
  raise(problem: {
    readonly code: ProblemCode;
    readonly subject: string;
    readonly message: string;
    readonly remedy: string;
    readonly consequence?: string;
  }): void;
  clear(code: ProblemCode, subject: string): void;
  /** Clears what no subject of `still` explains. */
  clearExcept(code: ProblemCode, still: ReadonlySet<string>): void;
  /** Worst first. */
  list(): readonly Problem[];
}

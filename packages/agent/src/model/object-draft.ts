import type { Fault } from '@setkeeper/api';
import type { DocumentNode } from './document-node.ts';
import { MODEL_LIMITS } from './limits.ts';
import type { LineOf } from './line-index.ts';
import { visibleText } from './visible-text.ts';

/** How many more values may be read through aliases in this file. */
export interface ReadBudget {
  values: number;
}

/** What one object being read knows of its place, and what was found wrong with it. One error and nothing of it is taken over. */
export class ObjectDraft {
  readonly #place: { readonly file: string; readonly path: string; readonly lineOf: LineOf };
  readonly #faults: Fault[] = [];
  readonly #budget: ReadBudget;
  #errors = 0;
  #untold = 0;
  #lastAt = 0;

  constructor(place: { readonly file: string; readonly path: string; readonly lineOf: LineOf }, budget: ReadBudget) {
    this.#place = place;
    this.#budget = budget;
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  error(at: number, sub: string, reason: string): void {
    this.#errors++;
    this.#tell(this.#place.file, this.#place.lineOf(at), sub, reason, 'error');
    this.#lastAt = at;
  }

  warning(at: number, sub: string, reason: string): void {
    this.#tell(this.#place.file, this.#place.lineOf(at), sub, reason, 'warning');
  }

  /** A fault of a file that the object names. */
  elsewhere(file: string, line: number, reason: string, severity: Fault['severity']): void {
    if (severity === 'error') this.#errors++;
    this.#tell(file, line, '', reason, severity);
  }

  /** Spends what reading these many values costs; an error once a file's aliases made too much of too little. */
  spend(node: DocumentNode, values: number): boolean {
    this.#budget.values -= values;
    if (this.#budget.values >= 0) return true;
    this.error(node.at, '', 'the aliases of this file repeat too much: more than a million values');
    return false;
  }

  faults(): readonly Fault[] {
    if (this.#untold === 0) return this.#faults;
    const { file, path, lineOf } = this.#place;
    const reason = `and ${this.#untold} more of this object`;
    return [...this.#faults, { file, line: lineOf(this.#lastAt), path, reason, severity: 'error' }];
  }

  #tell(file: string, line: number, sub: string, reason: string, severity: Fault['severity']): void {
    if (this.#faults.length >= MODEL_LIMITS.faultsOfObjectMax) {
      this.#untold++;
      return;
    }
    this.#faults.push({
      file,
      line,
      path: `${this.#place.path}${visibleText(sub)}`,
      reason: visibleText(reason, 600),
      severity,
    });
  }
}

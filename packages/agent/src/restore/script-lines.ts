import type { Member, SetName } from '@setkeeper/ipset';
import type { Plan, Section } from '../plan/plan.ts';
import { sectionLines } from '../plan/section-operations.ts';

/** What a line of a section does; `fill` adds to the temporary set of a rewrite. */
export type Step =
  | 'recreate'
  | 'create'
  | 'del'
  | 'add'
  | 'create-temp'
  | 'fill'
  | 'create-main'
  | 'swap'
  | 'destroy-temp'
  | 'destroy';

/** A line of a plan, counted from 0, and where it stands. */
export interface ScriptLine {
  readonly line: number;
  readonly sectionIndex: number;
  readonly section: Section;
  /** From 0 inside its section. */
  readonly offset: number;
  readonly step: Step;
}

/** The lines of a plan by arithmetic: nothing is kept a line. The order of a section's lines: plan/plan.ts. */
export class ScriptLines {
  readonly total: number;
  readonly sections: readonly Section[];
  /** First line of each section, and the total behind the last. */
  readonly #starts: Float64Array;
  #lastSection = 0;

  constructor(plan: Pick<Plan, 'sections'>) {
    this.sections = plan.sections;
    this.#starts = new Float64Array(plan.sections.length + 1);
    let line = 0;
    plan.sections.forEach((section, index) => {
      this.#starts[index] = line;
      line += sectionLines(section);
    });
    this.#starts[plan.sections.length] = line;
    this.total = line;
  }

  /** First line of a section; behind the last line for `sections.length`. */
  startOf(sectionIndex: number): number {
    return this.#starts[sectionIndex] ?? this.total;
  }

  /** Behind the last line of a section. */
  endOf(sectionIndex: number): number {
    return this.startOf(sectionIndex + 1);
  }

  /** Cheap for lines at or just behind the last one asked for, else O(log sections). Throws beyond the plan's end. */
  at(line: number): ScriptLine {
    const sectionIndex = this.#sectionAt(line);
    const section = this.sections[sectionIndex];
    if (section === undefined || line >= this.total) throw new RangeError(`The plan has no line ${line}`);
    const offset = line - this.startOf(sectionIndex);
    return { line, sectionIndex, section, offset, step: stepAt(section, offset) };
  }

  #sectionAt(line: number): number {
    for (const near of [this.#lastSection, this.#lastSection + 1]) {
      if (line >= this.startOf(near) && line < this.endOf(near)) {
        this.#lastSection = near;
        return near;
      }
    }
    let low = 0;
    let high = this.sections.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= line) low = middle;
      else high = middle - 1;
    }
    this.#lastSection = low;
    return low;
  }
}

function stepAt(section: Section, offset: number): Step {
  switch (section.how) {
    case 'destroy':
      return 'destroy';
    case 'create': {
      const first = section.recreate === true ? 1 : 0;
      return offset < first ? 'recreate' : offset === first ? 'create' : 'add';
    }
    case 'delta':
      return offset === 0 ? 'create' : offset <= section.dels.length ? 'del' : 'add';
    case 'rewrite': {
      if (offset === 0) return 'create-temp';
      if (offset <= section.adds.length) return 'fill';
      const fromEnd = sectionLines(section) - offset;
      return fromEnd === 1 ? 'destroy-temp' : fromEnd === 2 ? 'swap' : 'create-main';
    }
  }
}

/** The set whose content a line changes: the temporary one for its creation, fill and destroy. */
export const targetOf = (section: Section, step: Step): SetName =>
  step === 'create-temp' || step === 'fill' || step === 'destroy-temp' ? (section.temp ?? section.set) : section.set;

/** The members that a line is one of: its list, and the line of the list's first. Null for lines without a member. */
export function membersAt({ section, line, offset, step }: ScriptLine): MemberLines | null {
  switch (step) {
    case 'fill':
      return { op: 'add', members: section.adds, firstLine: line - offset + 1 };
    case 'del':
      return { op: 'del', members: section.dels, firstLine: line - offset + 1 };
    case 'add': {
      const before = section.how === 'delta' ? section.dels.length : section.recreate === true ? 1 : 0;
      return { op: 'add', members: section.adds, firstLine: line - offset + 1 + before };
    }
    default:
      return null;
  }
}

export interface MemberLines {
  readonly op: 'add' | 'del';
  readonly members: readonly Member[];
  readonly firstLine: number;
}

/** The command that a step is rendered as. */
export function commandOf(step: Step): 'create' | 'add' | 'del' | 'swap' | 'destroy' {
  switch (step) {
    case 'create':
    case 'create-temp':
    case 'create-main':
      return 'create';
    case 'add':
    case 'fill':
      return 'add';
    case 'del':
      return 'del';
    case 'swap':
      return 'swap';
    case 'recreate':
    case 'destroy-temp':
    case 'destroy':
      return 'destroy';
  }
}

import type { Operation } from '@setkeeper/ipset';
import type { Plan, Section } from './plan.ts';
import type { RenderOperation } from './rendering.ts';
import { operationOfSection, operationsOfSection, sectionLines } from './section-operations.ts';

/** One line of a plan: its number from 1, what it does, and the section it is of. */
export interface PlannedLine {
  readonly line: number;
  readonly operation: Operation;
  readonly section: Section;
  readonly sectionIndex: number;
  /** Index from 0 inside its section. */
  readonly index: number;
}

/** Where each section of a plan begins. Made once a plan, O(sections). */
export class PlanIndex {
  readonly plan: Plan;
  readonly #firstLines: Float64Array;

  constructor(plan: Plan) {
    this.plan = plan;
    this.#firstLines = new Float64Array(plan.sections.length);
    let line = 1;
    for (const [i, section] of plan.sections.entries()) {
      this.#firstLines[i] = line;
      line += sectionLines(section);
    }
  }

  /** The number of a section's first line. */
  firstLine(sectionIndex: number): number {
    return this.#firstLines[sectionIndex] ?? this.plan.lines + 1;
  }

  /** The line with this number, or undefined beyond the end. O(log sections). */
  at(line: number): PlannedLine | undefined {
    if (line < 1 || line > this.plan.lines) return undefined;
    let low = 0;
    let high = this.plan.sections.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firstLine(middle) <= line) low = middle;
      else high = middle - 1;
    }
    const section = this.plan.sections[low];
    if (section === undefined) return undefined;
    const index = line - this.firstLine(low);
    return { line, operation: operationOfSection(section, index), section, sectionIndex: low, index };
  }

  /** Lines from a number on, lazily. */
  *from(line: number): Generator<PlannedLine, void, undefined> {
    for (let at = this.at(line); at !== undefined; at = this.at(at.line + 1)) yield at;
  }
}

/** All operations of a plan in order, lazily. */
export function* operationsOf(plan: Plan): Generator<Operation, void, undefined> {
  for (const section of plan.sections) yield* operationsOfSection(section);
}

/** The lines of a plan as they are sent, without newlines, lazily. */
export function* renderPlan(plan: Plan, render: RenderOperation): Generator<string, void, undefined> {
  for (const operation of operationsOf(plan)) yield render(operation);
}

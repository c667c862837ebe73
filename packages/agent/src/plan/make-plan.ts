import type { Digest, Plan, Section } from './plan.ts';
import { digestInTurns, digestOf } from './plan-digest.ts';
import type { PlanScope } from './plan-scope.ts';
import type { RenderOperation } from './rendering.ts';
import { sectionLines } from './section-operations.ts';

/**
 * A plan of sections, in the one order that is safe: hash sets first (so that a list's members are there before it),
 * then lists, then destroys, lists before their members. Sets are ordered by name; destroys keep the order given, since
 * the kernel finds sets linearly and its own order is fastest. The digest is made when it is first asked for.
 */
export function makePlan(parts: {
  readonly sections: readonly Section[];
  readonly modelRevision: number;
  readonly scope: PlanScope;
  readonly render: RenderOperation;
  /** Whether a set that is destroyed is a list: sections of a destroy have no header. */
  readonly isList: (section: Section) => boolean;
}): MadePlan {
  return new OrderedPlan(inSafeOrder(parts.sections, parts.isList), parts);
}

/** A plan that can also make its digest without keeping others waiting. */
export interface MadePlan extends Plan {
  /** The digest if somebody asked for it before, else null. */
  readonly digestIfMade: Digest | null;
  digestInTurns(turn: () => Promise<void>): Promise<Digest>;
}

class OrderedPlan implements MadePlan {
  readonly sections: readonly Section[];
  readonly modelRevision: number;
  readonly scope: PlanScope;
  readonly lines: number;
  readonly #render: RenderOperation;
  #digest: Digest | null = null;

  constructor(
    sections: readonly Section[],
    parts: { readonly modelRevision: number; readonly scope: PlanScope; readonly render: RenderOperation },
  ) {
    this.sections = sections;
    this.modelRevision = parts.modelRevision;
    this.scope = parts.scope;
    this.lines = sections.reduce((sum, section) => sum + sectionLines(section), 0);
    this.#render = parts.render;
  }

  get digestIfMade(): Digest | null {
    return this.#digest;
  }

  get digest(): Digest {
    this.#digest ??= digestOf(this, this.#render);
    return this.#digest;
  }

  async digestInTurns(turn: () => Promise<void>): Promise<Digest> {
    this.#digest ??= await digestInTurns(this, this.#render, turn);
    return this.#digest;
  }
}

function inSafeOrder(sections: readonly Section[], isList: (section: Section) => boolean): readonly Section[] {
  const byName = (a: Section, b: Section): number => (a.set < b.set ? -1 : a.set > b.set ? 1 : 0);
  const written = sections.filter((section) => section.how !== 'destroy').sort(byName);
  const destroyed = sections.filter((section) => section.how === 'destroy');
  return [
    ...written.filter((section) => !isList(section)),
    ...written.filter(isList),
    ...destroyed.filter(isList),
    ...destroyed.filter((section) => !isList(section)),
  ];
}

import type { Plan as PlanRow } from '@setkeeper/api';
import { describeOperation, type Member } from '@setkeeper/ipset';
import type { Section } from '../../plan/plan.ts';
import { PlanIndex } from '../../plan/plan-lines.ts';
import { sectionLines } from '../../plan/section-operations.ts';
import type { ManagedSet } from '../../sets/managed-set.ts';
import { setCounts } from '../../sets/set-counts.ts';
import type { EngineState } from '../engine-state.ts';
import type { PlanPreview } from '../operator-acts.ts';
import type { PlannedSet } from '../pending-sections.ts';
import { iso } from './set-row.ts';

type PlanSetRow = PlanRow['sets'][number];
type PlanLineRow = {
  line: number;
  text: string;
  meaning: string;
  set: string;
  group: string | null;
  family: PlanSetRow['family'];
};

/** Lines rendered or searched in one turn of the event loop. */
const LINES_A_TURN = 5_000;

/** A plan as it goes over the wire: the script up to `scriptLimit` lines, and what it does to each set. `isNamed`: blocked sets are shown though nothing is pending. */
export async function planRow(
  state: EngineState,
  preview: PlanPreview,
  options: { readonly scriptLimit: number; readonly isNamed: boolean },
): Promise<PlanRow> {
  const { plan } = preview;
  const { render, turn } = state.ports;
  const digest = await plan.digestInTurns(turn);
  const script: string[] = [];
  for (const { operation, line } of new PlanIndex(plan).from(1)) {
    if (line > options.scriptLimit) break;
    script.push(`${render(operation)}\n`);
    if (line % LINES_A_TURN === 0) await turn();
  }
  return {
    digest,
    lines: plan.lines,
    script: script.join(''),
    scriptTruncated: plan.lines > script.length,
    sets: planSets(preview, options.isNamed),
    modelRevision: plan.modelRevision,
    at: iso(state.now()),
  };
}

/** Lines of a plan with their meaning, from a line on. With a text or a set only those that fit. */
export async function planLines(
  state: EngineState,
  preview: PlanPreview,
  query: {
    readonly from: number;
    readonly limit: number;
    readonly filter?: string | undefined;
    readonly set?: string | undefined;
  },
): Promise<{ readonly items: readonly PlanLineRow[]; readonly total: number; readonly next?: number }> {
  const { plan } = preview;
  const index = new PlanIndex(plan);
  const items: PlanLineRow[] = [];
  const isFiltered = query.filter !== undefined || query.set !== undefined;
  if (!isFiltered) {
    for (const each of index.from(query.from)) {
      if (items.length === query.limit) return { items, total: plan.lines, next: each.line };
      items.push(lineRow(state, each));
    }
    return { items, total: plan.lines };
  }
  let total = 0;
  let next: number | undefined;
  let scanned = 0;
  for (const each of index.from(1)) {
    if (++scanned % LINES_A_TURN === 0) await state.ports.turn();
    if (query.set !== undefined && each.section.set !== query.set) continue;
    if (query.filter !== undefined && !state.ports.render(each.operation).includes(query.filter)) continue;
    total++;
    if (each.line < query.from) continue;
    if (items.length < query.limit) items.push(lineRow(state, each));
    else next ??= each.line;
  }
  return { items, total, ...(next === undefined ? {} : { next }) };
}

function lineRow(state: EngineState, each: NonNullable<ReturnType<PlanIndex['at']>>): PlanLineRow {
  const { line, operation, section } = each;
  return {
    line,
    text: state.ports.render(operation),
    meaning: describeOperation(operation),
    set: section.set,
    group: section.group,
    family: section.family,
  };
}

function planSets({ plan, planned }: PlanPreview, isNamed: boolean): PlanSetRow[] {
  const bySection = new Map(planned.flatMap((each) => (each.section === null ? [] : [[each.section, each] as const])));
  const rows: PlanSetRow[] = [];
  let firstLine = 1;
  for (const section of plan.sections) {
    const lines = sectionLines(section);
    const each = bySection.get(section);
    if (each !== undefined) rows.push(sectionRow(each, section, firstLine, lines));
    firstLine += lines;
  }
  for (const each of planned) {
    if (each.section === null && (isNamed || isWaiting(each))) rows.push(blockedRow(each));
  }
  return rows;
}

function sectionRow({ set, block }: PlannedSet, section: Section, firstLine: number, lines: number): PlanSetRow {
  return {
    ...names(set),
    how: section.how,
    adds: membersOf(set, section.adds),
    dels: section.how === 'destroy' ? section.before : membersOf(set, section.dels),
    before: section.before,
    after: section.after,
    ...blockFields(block),
    firstLine,
    lines,
  };
}

/** What would be sent, were it not blocked: it has no lines. */
function blockedRow({ set, block }: PlannedSet): PlanSetRow {
  const counts = setCounts(set);
  const { kind } = set.ledger.content;
  const adds = kind === 'known' ? counts.pendingAdds : counts.desired;
  return {
    ...names(set),
    how: kind === 'known' ? 'delta' : kind === 'absent' ? 'create' : 'rewrite',
    adds,
    dels: counts.pendingDels,
    before: counts.programmed ?? 0,
    after: (counts.programmed ?? 0) + adds - counts.pendingDels,
    ...blockFields(block),
    firstLine: 0,
    lines: 0,
  };
}

const names = (set: ManagedSet) => ({ group: set.group, family: set.family, name: set.name });

const blockFields = (block: PlannedSet['block']) =>
  block === null ? {} : { blocked: block.by, blockedDetail: block.detail };

/** In a plan of everything, groups that nobody asked for are no news. */
const isWaiting = ({ block }: PlannedSet): boolean => block !== null && block.by !== 'not-referenced';

const membersOf = (set: ManagedSet, elements: readonly Member[]): number =>
  set.desired.isPlain ? elements.length : set.desired.logicalCount(new Set(elements));

import type { Fault, Plan as PlanRow } from '@setkeeper/api';
import type { Family, GroupId } from '@setkeeper/ipset';
import { AgentConfig } from '../config/agent-config.ts';
import { heldRemoves } from '../engine/held-removes.ts';
import { letGo } from '../engine/held-rules.ts';
import { ALL_PENDING, pendingSections } from '../engine/pending-sections.ts';
import { planRow } from '../engine/views/plan-view.ts';
import { judge } from '../guard/judge.ts';
import { nodeClock } from '../node-clock.ts';
import { makePlan } from '../plan/make-plan.ts';
import type { Section } from '../plan/plan.ts';
import { PlanIndex } from '../plan/plan-lines.ts';
import { EVERYTHING } from '../plan/plan-scope.ts';
import { restoreLine } from '../restore/restore-line.ts';
import type { ParsedFile } from '../sources/directory/parsed-file.ts';
import { PaperHost } from './paper-host.ts';
import { PaperModel } from './paper-model.ts';
import { SavedKernel } from './saved-kernel.ts';
import { ownSets, shownGroup } from './unclaimed-sets.ts';

/** The files of a model directory, parsed, by their path inside. */
export type ModelFiles = ReadonlyMap<string, ParsedFile>;

/** What a model is compared with: an earlier one, the sets of an `ipset save` file, or a host without any. */
export type PlanBase =
  | { readonly kind: 'model'; readonly files: ModelFiles }
  | { readonly kind: 'save'; readonly save: Uint8Array }
  | { readonly kind: 'nothing' };

export interface OfflineQuestion {
  readonly model: ModelFiles;
  readonly against: PlanBase;
  /** Whose references count; null: every host's. */
  readonly host: string | null;
  /** Names, families and guard of an `agent.yaml`; the defaults if not given. */
  readonly config?: AgentConfig;
}

/** What the guard of an agent would say of the change. */
export interface GuardVerdict {
  readonly held: boolean;
  readonly why: readonly string[];
  /** Members that would wait for a release. */
  readonly removes: number;
  readonly sets: readonly {
    readonly group: GroupId;
    readonly family: Family | null;
    readonly removes: number;
    readonly of: number;
  }[];
}

export interface OfflinePlan extends PlanRow {
  readonly guard: GuardVerdict;
  /** What is wrong in the model: of these objects the earlier value stands, or none. */
  readonly faults: readonly Fault[];
  /** What is wrong in the save file, in words. */
  readonly notes: readonly string[];
}

/** More lines are not needed to judge a change, and would be hundreds of megabytes. */
const SCRIPT_LINES_MAX = 5_000_000;
/** The one source of the question, as an agent would call it. */
const SOURCE = 'model';

/**
 * What a change of the model would do to a host, and whether its guard would hold it: the agent's own reading, guard and
 * planning, without an agent, privileges or ipset. The plan is what would be sent once a held change was released.
 * O(model), in slices.
 */
export async function offlinePlan(question: OfflineQuestion): Promise<OfflinePlan> {
  const { model, against, host } = question;
  const config = question.config ?? AgentConfig.parse({});
  const kernel = new SavedKernel(against.kind === 'save' ? against.save : new Uint8Array(), nodeClock.now());
  const paper = new PaperHost({ config, source: SOURCE, host, kernel, clock: nodeClock });
  const { state } = paper;
  const directory = new PaperModel(SOURCE, nodeClock);
  if (against.kind === 'model') {
    await paper.take(await directory.generation(against.files));
    paper.program();
    await paper.take(await directory.generation(model));
    await paper.judge();
  } else {
    await paper.take(await directory.generation(model));
    for (const name of ownSets(kernel.sets.keys(), config.sets)) {
      const group = shownGroup(config.sets.prefix, name);
      if (group !== null) state.registry.enter(group);
    }
    await paper.adoptKernel();
  }
  const held = state.held.all();
  const sets = held.flatMap((change) =>
    change.sets.map((each) => ({
      group: each.group,
      family: each.family,
      removes: heldRemoves(state, change, each),
      of: each.of,
    })),
  );
  for (const change of held) letGo(state, change);

  const planned = await pendingSections(state, state.registry.all(), { ...ALL_PENDING, ignoresPauses: true });
  const lost = lostSections(paper, kernel, config);
  const sections = [...planned.flatMap(({ section }) => (section === null ? [] : [section])), ...lost];
  const plan = makePlan({
    sections,
    modelRevision: state.modelRevision,
    scope: EVERYTHING,
    render: restoreLine,
    isList: ({ set }) => state.headers?.byName.get(set)?.header.type === 'list:set',
  });
  const row = await planRow(state, { plan, planned }, { scriptLimit: SCRIPT_LINES_MAX, isNamed: false });
  const index = new PlanIndex(plan);
  const why = new Set(held.flatMap((change) => change.why));
  if (lost.length > 0) for (const reason of lossReasons(sections, config)) why.add(reason);
  return {
    ...row,
    sets: [...row.sets, ...lost.map((section) => lostRow(section, index.firstLine(plan.sections.indexOf(section))))],
    guard: {
      held: why.size > 0,
      why: [...why],
      removes: sets.reduce((sum, { removes }) => sum + removes, 0) + lost.reduce((sum, { before }) => sum + before, 0),
      sets,
    },
    faults: directory.faults(),
    notes: kernel.anomalies.map(({ line, text }) => `line ${line} is none of "ipset save": ${text.slice(0, 80)}`),
  };
}

/**
 * Sets of our form in the save file whose name is a digest that no group of the model has: nobody can say what they
 * were, but an agent that ran when their groups went away would have destroyed them.
 */
function lostSections({ state }: PaperHost, kernel: SavedKernel, config: AgentConfig): readonly Section[] {
  const lists = kernel.listReferences();
  return ownSets(kernel.sets.keys(), config.sets)
    .filter((name) => state.registry.owner(name) === undefined && !lists.has(name))
    .map((set) => {
      const saved = kernel.sets.get(set);
      return {
        group: null,
        family: saved?.header.family ?? null,
        set,
        how: 'destroy',
        header: null,
        temp: null,
        createMain: false,
        dels: [],
        adds: [],
        before: saved?.elements.length ?? 0,
        after: 0,
      };
    });
}

function lossReasons(sections: readonly Section[], config: AgentConfig): readonly string[] {
  const vanishing = sections.filter(({ how }) => how === 'destroy');
  const losses = vanishing.map(({ set, before }) => ({
    title: set,
    removes: before,
    of: before,
    isEmptied: false,
    isUsed: false,
    isDefined: false,
    vanishes: true,
  }));
  return judge(config.guard, { sets: losses, sources: [], strict: null });
}

const lostRow = (section: Section, firstLine: number): PlanRow['sets'][number] => ({
  group: null,
  family: section.family,
  name: section.set,
  how: 'destroy',
  adds: 0,
  dels: section.before,
  before: section.before,
  after: 0,
  firstLine,
  lines: 1,
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseList } from '@setkeeper/ipset';
import {
  type LineRunner,
  lineOracle,
  type OracleException,
  type RandomPlan,
  randomPlan,
  type SectionSketch,
} from '@setkeeper/testkit';
import { expect } from 'vitest';
import { sectionLines } from '../../plan/section-operations.ts';
import { fromRanges, toRanges } from '../../store/exception-ranges.ts';
import type { Exception, Execution } from '../execution.ts';
import { ScriptLines } from '../script-lines.ts';
import { rejectedBySection, sectionToGoOn, sweepOf } from './go-on.ts';
import { killMoment } from './kill-moment.ts';
import type { LineShell } from './line-shell.ts';
import { type RandomWorld, UNWATCHED, type Writer } from './random-world.ts';
import { comparable, planOf } from './real-kernel.ts';
import { runWholeAgent } from './whole-agent.ts';

type Random = () => number;

const DOOMED_RUN = fileURLToPath(new URL('./doomed-run.ts', import.meta.url));

/** Executes a plan whose children are killed at random, before or right after a write. True if any was. */
export async function killChildren(world: RandomWorld, writer: Writer, plan: RandomPlan, random: Random) {
  let kills = 0;
  world.watch = {
    before: (child) => {
      if (random() < 0.02) child.kill('SIGKILL');
      else return;
      kills++;
    },
    after: (child) => {
      if (random() < 0.02) child.kill('SIGKILL');
      else return;
      kills++;
    },
  };
  const [execution, expected] = await Promise.all([
    writer.executor.execute(planOf(plan.sections), {}),
    ask(world, plan),
  ]);
  world.watch = UNWATCHED;
  endsAs(execution, expected);
  return kills > 0;
}

/**
 * Executes a plan whose launcher is killed at a random moment. What the outcomes claim must be in the kernel, and nothing
 * else but in the sets that they call unsure; then the rest is done as an agent does it. True if the run broke off.
 */
export async function killLauncher(world: RandomWorld, writer: Writer, plan: RandomPlan, random: Random) {
  const moment = killMoment(random);
  let killing: Promise<void> | null = null;
  let writes = 0;
  const kill = (): void => {
    killing ??= writer.killLauncher();
  };
  const killAt = (isBefore: boolean, by: number) => (): void => {
    writes += by;
    if (moment.kind === 'write' && moment.isBefore === isBefore && writes === moment.number) kill();
  };
  world.watch = { before: killAt(true, 1), after: killAt(false, 0) };
  const timer = moment.kind === 'later' ? setTimeout(kill, moment.ms) : undefined;
  const execution = await writer.executor.execute(planOf(plan.sections), {});
  clearTimeout(timer);
  // A moment that never came is between two runs.
  kill();
  await killing;
  world.watch = UNWATCHED;
  if (execution.environment === undefined) {
    endsAs(execution, await ask(world, plan));
    return false;
  }
  expect(['killed', 'spawn-failed']).toContain(execution.environment.code);
  const settled = execution.counts.notRun === 0 ? Number.POSITIVE_INFINITY : firstNotRun(execution) - 1;
  const expected = await ask(world, plan, async (line, soFar) => {
    if (line !== settled + 1) return;
    const isSure = isSureLine(plan.sections, execution);
    expect(outcomesTo(execution, settled).filter(isSure)).toEqual(soFar.filter(isSure));
    await isAsClaimed(world, execution);
  });
  const rejected = rejectedBySection(plan.sections, rejections(expected));
  const isOpen = openSections(plan.sections, settled, execution);
  await goOn(writer, { plan, rejected, isOpen, left: execution.leftTemporary });
  return true;
}

/**
 * Executes a plan in a process of its own that is killed at a random moment, with the launcher and the children that die
 * with it; then another one reads back and goes on. True if it was killed before its end.
 */
export async function killExecutor(
  world: RandomWorld,
  plan: RandomPlan,
  { sectionsMax, membersMax }: { readonly sectionsMax: number; readonly membersMax: number },
  random: Random,
) {
  const agent = spawn(
    process.execPath,
    [DOOMED_RUN, world.namespace.name, ...[plan.seed, sectionsMax, membersMax].map(String)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  agent.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await once(agent.stdout, 'data');
  await delay(random() * 12);
  agent.kill('SIGKILL');
  const [expected] = await Promise.all([ask(world, plan), once(agent, 'close')]);
  // A new writer gets the lock when the last child of the dead one is gone.
  const writer = await world.openWriter();
  const left = ((await world.beside.show('list -n')) ?? '').split('\n');
  const rejected = rejectedBySection(plan.sections, rejections(expected));
  await goOn(writer, { plan, rejected, isOpen: () => true, left });
  return { writer, isInTime: !said.includes('done') };
}

/** The whole agent is killed at a random moment and started again: see `runWholeAgent`. Nobody else may have the lock. */
export async function killAgent(world: RandomWorld, plan: RandomPlan, random: Random): Promise<void> {
  const { beside, namespace } = world;
  // What a list holds cannot be made anew with another type, and the model has no say in these two.
  for (const list of ['sk-l.a', 'sk-l.b']) await beside.run(`destroy ${list}`);
  const running = await namespace.pids();
  let others = await othersSets(beside);
  const wanted = await runWholeAgent(namespace, plan, {
    random,
    meanwhile: async () => {
      expect(await othersSets(beside)).toEqual(others);
      const { foreign } = randomPlan(Math.floor(random() * 1e9));
      for (const line of foreign.flatMap(({ lines }) => lines)) await beside.run(line);
      others = await othersSets(beside);
    },
  });
  expect(await othersSets(beside)).toEqual(others);
  expect(await namespace.pids()).toEqual(running);
  const names = ((await beside.show('list -n')) ?? '').split('\n');
  expect(names.filter((name) => /^sk-(tmp|ack)-/.test(name))).toEqual([]);
  for (const [set, members] of wanted) {
    expect(membersOf((await beside.show(`save ${set}`)) ?? ''), set).toEqual([...members].sort());
  }
  await world.mirror();
}

/** What others did before a plan, in both namespaces. */
export async function actBeside({ beside, alone }: RandomWorld, { foreign }: RandomPlan): Promise<void> {
  for (const line of foreign.flatMap(({ lines }) => lines)) await Promise.all([beside.run(line), alone.run(line)]);
}

/** Both namespaces hold the same, and no temporary set is left. */
export async function expectSame({ beside, alone }: RandomWorld): Promise<void> {
  const [seen, wanted] = await Promise.all([beside.show('save'), alone.show('save')]);
  expect(comparable(seen ?? '')).toEqual(comparable(wanted ?? ''));
  expect(comparable(seen ?? '').filter((line) => / sk-tmp-/.test(line))).toEqual([]);
}

interface OpenPlan {
  readonly plan: RandomPlan;
  /** By section: what the oracle rejected. */
  readonly rejected: readonly ReadonlySet<string>[];
  readonly isOpen: (sectionIndex: number) => boolean;
  /** Names of sets that may be left of the broken run. */
  readonly left: readonly string[];
}

/** Does the rest of a plan after a read-back; every bad line is rejected again, and no good one. */
async function goOn(writer: Writer, { plan, rejected, isOpen, left }: OpenPlan): Promise<void> {
  const open = [...plan.sections.entries()].filter(([index]) => isOpen(index));
  const again = await Promise.all(
    open.map(([index, section]) => {
      // A set that may not be destroyed to be made anew stays as it is.
      const isRefused = section.recreate === true && rejected[index]?.has('destroy') === true;
      return isRefused ? section : sectionToGoOn(section, writer.reader, `${plan.seed}-again-${index}`);
    }),
  );
  const sections = [...sweepOf(left), ...again];
  const execution = await writer.executor.execute(planOf(sections), {});
  expect(execution.environment).toBeUndefined();
  expect(execution.leftTemporary).toEqual([]);
  const refused = eachOf(execution).filter(({ outcome }) => outcome === 'rejected');
  expect(rejectedBySection(sections, refused).slice(sections.length - again.length)).toEqual(
    open.map(([index]) => rejected[index]),
  );
}

/** Sets that the outcomes are sure of hold what they say; temporary sets that are there are told of. */
async function isAsClaimed({ beside, alone }: RandomWorld, { unsure, leftTemporary }: Execution): Promise<void> {
  const doubted = new Set<string>(unsure);
  const sure = (save: string): readonly string[] =>
    comparable(save).filter((line) => !doubted.has(setOf(line)) && !setOf(line).startsWith('sk-tmp-'));
  const [seen, wanted] = await Promise.all([beside.show('save'), alone.show('save')]);
  expect(sure(seen ?? '')).toEqual(sure(wanted ?? ''));
  const temporaries = comparable(seen ?? '')
    .map(setOf)
    .filter((name) => name.startsWith('sk-tmp-'));
  expect(leftTemporary).toEqual(expect.arrayContaining(temporaries));
}

function openSections(sections: readonly SectionSketch[], settled: number, { unsure }: Execution) {
  let line = 0;
  const isOpen = sections.map((section) => {
    line += sectionLines(section);
    return line > settled || unsure.includes(section.set);
  });
  return (index: number): boolean => isOpen[index] === true;
}

/** Whether the outcome of a line is to be believed: its set is not in doubt. */
function isSureLine(sections: readonly SectionSketch[], { unsure }: Execution) {
  const script = new ScriptLines({ sections });
  return ({ line }: { readonly line: number }): boolean => !unsure.includes(script.at(line - 1).section.set);
}

const ask = (
  { alone }: RandomWorld,
  { sections }: RandomPlan,
  beforeLine?: (line: number, soFar: readonly OracleException[]) => Promise<void>,
) => lineOracle(sections, lineRunner(alone), beforeLine);

function endsAs(execution: Execution, expected: readonly OracleException[]): void {
  expect(execution.environment).toBeUndefined();
  expect(eachOf(execution).map(outcomeOf)).toEqual(expected);
  expect(execution.leftTemporary).toEqual([]);
}

/** One exception a line. */
const eachOf = ({ exceptions }: Execution): readonly Exception[] => fromRanges(toRanges(exceptions));

const firstNotRun = ({ exceptions }: Execution): number =>
  Math.min(...exceptions.filter(({ outcome }) => outcome === 'not-run').map(({ line }) => line));

const outcomesTo = (execution: Execution, line: number) =>
  eachOf(execution)
    .filter((exception) => exception.line <= line)
    .map(outcomeOf);

const outcomeOf = ({ line, outcome, because }: Exception) => ({
  line,
  outcome,
  ...(because === undefined ? {} : { because }),
});

const rejections = (expected: readonly OracleException[]): readonly OracleException[] =>
  expected.filter(({ outcome }) => outcome === 'rejected');

const lineRunner = (shell: LineShell): LineRunner => ({
  run: (line) => shell.run(line),
  async family(set) {
    const text = await shell.show(`list -t ${set}`);
    return text === null ? undefined : parseList(Buffer.from(text)).sets[0]?.header.family;
  },
});

const setOf = (line: string): string => line.split(' ')[1] ?? '';

const membersOf = (save: string): readonly string[] =>
  save
    .split('\n')
    .flatMap((line) => (line.startsWith('add ') ? [line.split(' ').slice(2).join(' ')] : []))
    .sort();

/** The sets that the model of a whole agent does not have: foreign ones, and ours that nothing wants. */
async function othersSets(shell: LineShell): Promise<readonly string[]> {
  const lines = comparable((await shell.show('save')) ?? '');
  return lines.filter((line) => !/^sk-(v[46]-(t\.[ab]|n\.a)|l\.a|tmp-.*|ack-.*)$/.test(setOf(line)));
}

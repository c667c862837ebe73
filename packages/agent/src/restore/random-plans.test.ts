import {
  createFakeClock,
  FakeKernel,
  FakeLauncher,
  FakeRestore,
  type Interference,
  type LineRunner,
  lineOracle,
  randomPlan,
  seededRandom,
} from '@setkeeper/testkit';
import { describe, expect, it } from 'vitest';
import { createKernelReader } from '../kernel/create-kernel-reader.ts';
import type { Digest, Plan, Section } from '../plan/plan.ts';
import { fromRanges, toRanges } from '../store/exception-ranges.ts';
import { createRestoreExecutor } from './create-restore-executor.ts';
import type { Exception } from './execution.ts';

const PLANS = Number(process.env.SETKEEPER_PLANS ?? 400);
const SEED = Number(process.env.SETKEEPER_SEED ?? 1);

/** A run of random plans on one fake kernel, against one process a line on another. */
async function compare(options: {
  readonly seed: number;
  readonly plans: number;
  /** Asked before each line of a child but its first: what goes wrong; it may also do something to the kernel itself. */
  readonly interfere?: (random: () => number, kernel: FakeKernel) => Interference | undefined;
  readonly missingTools?: readonly string[];
  readonly membersMax?: number;
}) {
  const { seed, plans, interfere, missingTools = [], membersMax = 16 } = options;
  const random = seededRandom(seed);
  const kernel = new FakeKernel();
  const oracleKernel = new FakeKernel();
  const launcher = new FakeLauncher({
    kernel,
    missingTools,
    ...(interfere === undefined
      ? {}
      : { interfere: ({ line }) => (line === 1 ? undefined : interfere(random, kernel)) }),
  });
  await launcher.acquireWriterLock(1);
  const clock = { ...createFakeClock(), after: (_ms: number, run: () => void) => soon(_ms, run) };
  let names = 0;
  const executor = createRestoreExecutor({
    launcher,
    reader: createKernelReader({ launcher, clock, ipsetPath: '/usr/sbin/ipset', timeoutSeconds: 60 }),
    clock,
    ipsetPath: '/usr/sbin/ipset',
    stdbufPath: await launcher.which('stdbuf'),
    prefix: 'sk-',
    unique: () => `u${names++}`,
    random,
    timeoutSeconds: 60,
  });
  const oracle: LineRunner = {
    run: async (line) => runLine(oracleKernel, line),
    family: async (set) => oracleKernel.sets.get(set)?.parameters.family,
  };
  for (const each of [kernel, oracleKernel])
    for (const line of ['create foreign hash:ip', 'add foreign 192.0.2.1']) runLine(each, line);

  for (let i = 0; i < plans; i++) {
    const plan = randomPlan(seed * 100_000 + i, { membersMax });
    for (const { lines } of plan.foreign)
      for (const line of lines) for (const each of [kernel, oracleKernel]) runLine(each, line);
    const expected = await lineOracle(plan.sections, oracle);
    const execution = await executor.execute(planOf(plan.sections), {});
    const hint = `seed ${plan.seed}`;
    expect(execution.environment, hint).toBeUndefined();
    expect(fromRanges(toRanges(execution.exceptions)).map(outcomeOf), hint).toEqual(expected);
    expect(contents(kernel), hint).toEqual(contents(oracleKernel));
    expect(execution.leftTemporary, hint).toEqual([]);
  }
  await executor.close();
  expect([...kernel.sets.keys()].filter((name) => /^sk-(tmp|ack)-/.test(name))).toEqual([]);
  expect(kernel.elements('foreign')).toEqual(['192.0.2.1']);
  return { children: launcher.restores };
}

describe('outcomes of random plans on the fake kernel', () => {
  it(`are what one process a line says (${PLANS} plans, seed ${SEED})`, async () => {
    await compare({ seed: SEED, plans: PLANS });
  }, 60_000);

  it('are the same when children are killed, end early, flood and warn', async () => {
    const kinds: Interference[] = ['kill', 'kill-after', 'exit-0', 'flood', 'warn'];
    await compare({
      seed: SEED + 1,
      plans: PLANS,
      interfere: (random) => (random() < 0.01 ? kinds[Math.floor(random() * kinds.length)] : undefined),
    });
  }, 60_000);

  it('are the same with sets larger than a group of lines', async () => {
    await compare({
      seed: SEED + 4,
      plans: PLANS / 80,
      membersMax: 2500,
      interfere: (random) => (random() < 0.0005 ? 'kill' : undefined),
    });
  }, 60_000);

  it('are the same when somebody destroys the acknowledgement set again and again', async () => {
    await compare({
      seed: SEED + 5,
      plans: PLANS / 4,
      interfere: (random, kernel) => {
        if (random() < 0.1)
          for (const name of [...kernel.sets.keys()])
            if (name.startsWith('sk-ack-')) runLine(kernel, `destroy ${name}`);
        return undefined;
      },
    });
  }, 60_000);

  it('are the same when somebody destroys temporary sets and children are killed', async () => {
    await compare({
      seed: SEED + 6,
      plans: PLANS / 4,
      interfere: (random, kernel) => {
        if (random() < 0.002)
          for (const name of [...kernel.sets.keys()])
            if (name.startsWith('sk-tmp-')) runLine(kernel, `destroy ${name}`);
        return random() < 0.01 ? 'kill' : undefined;
      },
    });
  }, 60_000);

  it('are the same without stdbuf', async () => {
    await compare({ seed: SEED + 2, plans: PLANS / 2, missingTools: ['stdbuf'] });
  }, 60_000);

  it('are the same without stdbuf when children are killed', async () => {
    await compare({
      seed: SEED + 3,
      plans: PLANS / 2,
      missingTools: ['stdbuf'],
      interfere: (random) => (random() < 0.005 ? 'kill' : undefined),
    });
  }, 60_000);
});

const outcomeOf = ({ line, outcome, because }: Exception) => ({
  line,
  outcome,
  ...(because === undefined ? {} : { because }),
});

const planOf = (sections: readonly Section[]): Plan => ({
  digest: 'test' as Digest,
  modelRevision: 1,
  sections,
  lines: 0,
});

function runLine(kernel: FakeKernel, line: string) {
  const process = new FakeRestore(kernel, ['-exist']);
  process.take(line);
  const exitCode = process.end();
  return { exitCode, stderr: process.takeOutput().stderr };
}

/** All sets but acknowledgement sets: their kind and elements. */
const contents = (kernel: FakeKernel) =>
  Object.fromEntries(
    [...kernel.sets.values()]
      .filter(({ name }) => !name.startsWith('sk-ack-'))
      .map(({ name, type, parameters: { family, maxelem } }) => [
        name,
        { type, family, maxelem, elements: kernel.elements(name) },
      ]),
  );

/** Retries wait no time; time-outs never come. */
function soon(ms: number, run: () => void): () => void {
  if (ms >= 1000) return () => undefined;
  const immediate = setImmediate(run);
  return () => clearImmediate(immediate);
}

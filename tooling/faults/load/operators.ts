import { setTimeout as delay } from 'node:timers/promises';
import { askVerb } from '../host/ask.ts';
import type { FaultHost } from '../host/fault-host.ts';
import { TAGS } from './fault-model.ts';
import { createWorker, type Worker } from './model-writer.ts';

/** Operators who act through the gateway, and what they were told. */
export interface Operators extends Worker {
  /** Marks of acts whose success was told to whoever asked. */
  readonly acknowledged: ReadonlySet<string>;
  readonly asked: number;
  /** Members that acknowledged acts put into sets of TAGS: they must be in the kernel. */
  readonly owed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Members of acts without an answer: they may be there. */
  readonly possible: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A declared endpoint is of this profile, so in these two tags (see fault-model.ts). */
const DECLARED_PROFILE = 'p0';
const DECLARED_TAGS = ['t0', 't1'];
const OVERRIDE_SECONDS = 86_400;
const PAUSE_MS_MAX = 120;
/** Beyond it operators only do what leaves nothing: lists stay small, whatever the number of kills. */
const LASTING_MAX = 1_500;

/** An act: its mark stands in its input, so that the audit shows it. */
interface Act {
  readonly verb: string;
  readonly input: unknown;
  readonly members: readonly (readonly [set: string, member: string])[];
}

/** Two operators. `random`: numbers in [0, 1). */
export function createOperators(host: FaultHost, random: () => number): Operators {
  const acknowledged = new Set<string>();
  const owed = new Map<string, Set<string>>();
  const possible = new Map<string, Set<string>>();
  let asked = 0;

  const step = async (): Promise<void> => {
    asked += 1;
    const number = asked;
    const mark = `act-${number}-`;
    const act = chooseAct(mark, number, random);
    try {
      await askVerb(host.doors.gateway, 'act', act.verb, act.input, host.as.operator);
      acknowledged.add(mark);
      note(owed, act);
    } catch {
      note(possible, act);
    }
    await delay(random() * PAUSE_MS_MAX);
  };
  const workers = [createWorker(step), createWorker(step)];
  return {
    acknowledged,
    owed,
    possible,
    get asked() {
      return asked;
    },
    resume: () => {
      for (const worker of workers) worker.resume();
    },
    pause: async () => {
      await Promise.all(workers.map((worker) => worker.pause()));
    },
  };
}

function chooseAct(mark: string, number: number, random: () => number): Act {
  const tag = TAGS[Math.floor(random() * TAGS.length)] ?? 't0';
  const address = `10.99.${(number >> 8) & 255}.${number & 255}`;
  const kind = random();
  if (kind < 0.4 || number > LASTING_MAX)
    return { verb: 'sets.reprogram', input: { groups: [`tag:${tag}`], reprogram: true, reason: mark }, members: [] };
  if (kind < 0.5) return { verb: 'pins.add', input: { group: `tag:${tag}`, reason: mark }, members: [] };
  if (kind < 0.75)
    return {
      verb: 'overrides.add',
      input: { kind: 'add', group: `tag:${tag}`, address, forSeconds: OVERRIDE_SECONDS, reason: mark },
      members: [[`sk-v4-t.${tag}`, address]],
    };
  return {
    verb: 'model.put',
    input: {
      documents: JSON.stringify({
        endpoints: { [`declared/${mark}`]: { profiles: [DECLARED_PROFILE], ipv4: [address] } },
      }),
    },
    members: DECLARED_TAGS.map((name) => [`sk-v4-t.${name}`, address] as const),
  };
}

function note(sets: Map<string, Set<string>>, { members }: Act): void {
  for (const [set, member] of members) {
    const known = sets.get(set) ?? new Set();
    known.add(member);
    sets.set(set, known);
  }
}

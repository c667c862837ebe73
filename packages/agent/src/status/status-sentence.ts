import type { Problem } from '@setkeeper/api';

/** What the one sentence is made of. Times are milliseconds since 1970. */
export interface SentenceFacts {
  readonly host: string;
  readonly now: number;
  readonly mode: 'manage' | 'observe';
  /** Sets of the host; null: not read yet. */
  readonly kernelSets: number | null;
  /** Sets that are, or should be, in the kernel. */
  readonly wanted: number;
  /** Of these: unknown, drifted, refused, in conflict, over capacity. */
  readonly wrong: number;
  /** Of these: on their way, nothing failed. */
  readonly pending: number;
  /** Of all these: an operator's hold keeps them from the kernel. */
  readonly waitingOnHold: number;
  readonly apply: 'auto' | 'manual';
  readonly isStarted: boolean;
  readonly waitingFor: readonly string[];
  readonly sources: readonly { readonly name: string; readonly state: string; readonly since: number }[];
  readonly held: { readonly changes: number; readonly removes: number };
  /** When the headers were last read; null: never. */
  readonly readAt: number | null;
  /** From which age on nobody may be told that all is well: 15 s, or twice `headersSeconds`. */
  readonly staleMs: number;
  readonly problems: readonly Problem[];
}

/** Whether all is as it should be, and the sentence that an operator reads first. */
export interface Verdict {
  readonly ok: boolean;
  readonly sentence: string;
}

/** Problems that mean that nothing can be known or done: they come before every count. */
const BLIND: ReadonlySet<Problem['code']> = new Set(['kernel-unreadable', 'environment', 'writer-lost']);

/** One sentence: what is wrong, since when, worst first. Contains `held` while a change is held. */
export function statusSentence(facts: SentenceFacts): Verdict {
  const { host, held } = facts;
  const worst = verdictOf(facts);
  const isHeld = held.changes > 0;
  const parts = [
    ...(isHeld && (worst.ok || worst.isMinor === true) ? [] : [worst.sentence]),
    ...(isHeld ? [heldWords(held)] : []),
    ...holdWords(facts.problems),
  ];
  return { ok: worst.ok && !isHeld, sentence: `${host}: ${parts.join('. ')}.` };
}

function heldWords({ changes, removes }: SentenceFacts['held']): string {
  const many = changes === 1 ? 'one change removes' : `${changes} changes remove`;
  return `Held: ${many} ${count(removes, 'member')}; ${changes === 1 ? 'its' : 'their'} additions are in, no removal is`;
}

/** Groups named in the sentence. */
const HOLDS_NAMED = 3;

/** What operators stopped, so that nobody forgets it. */
function holdWords(problems: readonly Problem[]): readonly string[] {
  const what = problems.filter(({ code }) => code === 'on-hold').map(({ subject }) => subject);
  if (what.length === 0) return [];
  if (what.includes('all')) return ['On hold: all'];
  const more = what.length > HOLDS_NAMED ? ` and ${what.length - HOLDS_NAMED} more` : '';
  return [`On hold: ${what.slice(0, HOLDS_NAMED).join(', ')}${more}`];
}

function verdictOf(facts: SentenceFacts): Verdict & { readonly isMinor?: true } {
  const { mode, now, problems, wanted, wrong, pending, waitingOnHold } = facts;
  const bad = (sentence: string): Verdict => ({ ok: false, sentence });
  const blind = problems.find(({ code }) => BLIND.has(code));
  if (blind !== undefined) return bad(`${plain(blind.message)}, since ${time(Date.parse(blind.since), now)}`);
  if (mode === 'observe') return observed(facts);
  if (!facts.isStarted) {
    const names = facts.waitingFor.join(', ');
    return bad(names === '' ? 'starting' : `starting; waiting for ${names}`);
  }
  if (wrong > 0)
    return bad(`${wrong} of ${sets(wanted)} ${wrong === 1 ? 'is' : 'are'} NOT what the model says${since(facts)}`);
  const age = facts.readAt === null ? Number.POSITIVE_INFINITY : now - facts.readAt;
  if (age > facts.staleMs)
    return bad(
      facts.readAt === null
        ? 'the kernel was not read yet'
        : `the kernel was not seen since ${time(facts.readAt, now)}`,
    );
  const source = facts.sources.find(({ state }) => state !== 'current');
  if (source !== undefined)
    return bad(
      source.state === 'missing'
        ? `the source ${source.name} never had any content`
        : `${sets(wanted)} match what ${source.name} last said, but it is stale since ${time(source.since, now)}`,
    );
  if (waitingOnHold > 0)
    return {
      ...bad(`${waitingOnHold} of ${sets(wanted)} ${waitingOnHold === 1 ? 'waits' : 'wait'} for the end of a hold`),
      isMinor: true,
    };
  if (pending > 0) {
    const words = facts.apply === 'manual' ? 'wait for apply' : 'are on their way';
    return {
      ok: facts.apply !== 'manual',
      sentence: `${pending} of ${sets(wanted)} ${pending === 1 ? words.replace('wait', 'waits').replace('are', 'is') : words}`,
      isMinor: true,
    };
  }
  const critical = problems.find(({ severity }) => severity === 'critical');
  if (critical !== undefined) return bad(`${plain(critical.message)}, since ${time(Date.parse(critical.since), now)}`);
  const seen = `seen ${ago(age)} ago`;
  if (wanted === 0) return { ok: true, sentence: `the model asks for no set, ${seen}` };
  const warnings = problems.filter(({ severity, code }) => severity === 'warning' && !SAID.has(code)).length;
  const rest = warnings === 0 ? '' : `; ${count(warnings, 'warning')}`;
  return {
    ok: true,
    sentence: `${wanted === 1 ? 'the one set matches' : `all ${sets(wanted)} match`}, ${seen}${rest}`,
  };
}

/** Problems that the sentence speaks of anyway. */
const SAID: ReadonlySet<Problem['code']> = new Set(['change-held', 'on-hold']);

function observed({ kernelSets }: SentenceFacts): Verdict {
  if (kernelSets === null) return { ok: false, sentence: 'observing; the kernel was not read yet' };
  return { ok: true, sentence: `observing ${sets(kernelSets)}; nothing is written` };
}

/** Since the oldest problem that a set has. */
function since({ problems, now }: SentenceFacts): string {
  const oldest = problems
    .filter(({ code }) => SET_PROBLEMS.has(code))
    .map((problem) => problem.since)
    .toSorted()[0];
  return oldest === undefined ? '' : `, since ${time(Date.parse(oldest), now)}`;
}

const SET_PROBLEMS: ReadonlySet<Problem['code']> = new Set([
  'set-failed',
  'set-unknown',
  'header-conflict',
  'name-collision',
  'members-parked',
  'over-capacity',
  'drift',
  'drift-fight',
]);

const DAY_MS = 86_400_000;

/** `02:13 UTC`, with its day if that is not today's last 24 hours. */
function time(at: number, now: number): string {
  const iso = new Date(at).toISOString();
  const clock = `${iso.slice(11, 16)} UTC`;
  return now - at < DAY_MS ? clock : `${iso.slice(0, 10)} ${clock}`;
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

const count = (number: number, thing: string): string =>
  `${number.toLocaleString('en-US')} ${thing}${number === 1 ? '' : 's'}`;
const sets = (number: number): string => count(number, 'set');
/** Without the full stop: it gets one at the end of the sentence. */
const plain = (message: string): string => message.replace(/\.$/u, '');

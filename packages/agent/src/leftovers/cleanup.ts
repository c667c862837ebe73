import { ApiError, type CleanupResult, type Leftover } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { OperatorActs } from '../engine/operator-acts.ts';
import type { HolderReading } from '../holders/holder-reading.ts';
import { holdersOf } from '../holders/holder-reading.ts';
import type { HostHeaders, HostObserver } from '../observe/host-observer.ts';
import { type SetOwnership, setOwnership } from '../ownership/set-ownership.ts';
import type { RenderOperation } from '../plan/rendering.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { RunRepository } from '../store/store.ts';
import { CleanupRetries } from './cleanup-retries.ts';
import { type CleanupSelection, type KeptSet, selectCleanup } from './cleanup-selection.ts';
import { judgeLeftovers, type LeftoverRules } from './judge-leftovers.ts';

export interface CleanupPorts {
  readonly observer: HostObserver;
  readonly acts: Pick<OperatorActs, 'cleanup'>;
  readonly runs: Pick<RunRepository, 'sections' | 'exceptions'>;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
  readonly render: RenderOperation;
  /** What is wanted now, and what may not go yet. */
  readonly rules: () => LeftoverRules;
}

/** Who asks for a clean-up, and why. */
export interface CleanupBy {
  readonly actor: string;
  readonly reason?: string;
}

export interface CleanupRequest extends CleanupBy {
  /** None: all eligible ones. */
  readonly names: readonly string[];
  /** The script that was shown: anything else is refused. */
  readonly digest?: string;
  /** How many eligible ones were shown. */
  readonly confirm?: number;
  /** Only these forms; all, if not given. */
  readonly forms?: ReadonlySet<Leftover['form']>;
  readonly wait: boolean;
}

/** Leftovers as they are now, with what belongs to the judgement. */
export interface LeftoversNow {
  readonly headers: HostHeaders;
  readonly reading: HolderReading | null;
  readonly rows: readonly Leftover[];
}

/** How old headers may be when a clean-up's turn comes: the kernel refuses what is in use anyway. */
const HEADERS_AGE_MS = 2_000;

/** Finds leftovers and destroys exactly those that were shown; what the kernel refuses is kept whole, and tried again. */
export class Cleanup {
  readonly retries: CleanupRetries;
  readonly #ports: CleanupPorts;

  constructor(ports: CleanupPorts) {
    this.#ports = ports;
    const { clock, problems } = ports;
    this.retries = new CleanupRetries({ clock, problems, again: (names, by) => this.#again(names, by) });
  }

  /** What clean-up could remove, read anew. Throws ApiError `not-ready` if the kernel cannot be read. */
  async leftovers(): Promise<LeftoversNow> {
    const headers = await this.#ports.observer.readHeaders();
    if ('code' in headers) throw unreadable(headers.message);
    const rows = judgeLeftovers(headers, null, this.#ports.rules());
    // Holders say why a set stays. Where no leftover is referenced there are none, and no tool needs to run.
    if (rows.every(({ references }) => references === 0 || references === null))
      return { headers, reading: null, rows };
    const reading = await this.#ports.observer.readHolders();
    const together = reading.sets === null ? headers : { ...headers, at: reading.at, sets: reading.sets };
    return { headers: together, reading, rows: judgeLeftovers(together, reading, this.#ports.rules()) };
  }

  /** What a request would do, as the leftovers were judged when they were read. */
  select(now: LeftoversNow, request: Pick<CleanupRequest, 'names' | 'forms'>): CleanupSelection {
    if (request.names.length > 0) return this.#selectAnew(now, request);
    return this.#selected(now.rows, now, request);
  }

  /** The same, judged by what is wanted at this moment. */
  #selectAnew(now: LeftoversNow, request: Pick<CleanupRequest, 'names' | 'forms'>): CleanupSelection {
    const asked = request.names.length === 0 ? null : new Set(request.names);
    const goes = (name: string): boolean => asked?.has(name) ?? true;
    return this.#selected(judgeLeftovers(now.headers, now.reading, this.#ports.rules(), goes), now, request);
  }

  #selected(
    rows: readonly Leftover[],
    now: LeftoversNow,
    request: Pick<CleanupRequest, 'names' | 'forms'>,
  ): CleanupSelection {
    const rules = this.#ports.rules();
    const { forms } = request;
    const inForm = forms === undefined ? rows : rows.filter(({ form }) => forms.has(form));
    return selectCleanup(inForm, request.names, {
      render: this.#ports.render,
      whyNotLeftover: (name) => whyNot(name, now.headers, setOwnership(name, rules)),
    });
  }

  /** Refuses by throwing ApiError what was not confirmed, or is no longer what was shown. */
  async run(request: CleanupRequest): Promise<CleanupResult> {
    let now = await this.leftovers();
    let selection = this.select(now, request);
    confirmed(selection, request);
    if (selection.sections.length === 0) return resultOf(selection, { removed: [], kept: [] });
    const started = await this.#ports.acts.cleanup(async () => {
      if (this.#ports.clock.now() - now.headers.at > HEADERS_AGE_MS) now = await this.leftovers();
      // What appeared since is not touched; what went, or became wanted, is no reason to refuse the rest.
      selection = withinShown(this.#selectAnew(now, request), selection);
      return selection.sections;
    }, actOf(request));
    const ending = started.ended.then(() => this.#enterOutcomes(started.run.id, request));
    if (!request.wait) {
      // A failure of what follows the run is told by the retries and the next reading; nobody waits for it here.
      ending.catch(() => undefined);
      return resultOf(selection, { removed: [], kept: [] }, { run: started.run.id, phase: 'running' });
    }
    const outcome = await ending;
    const { phase } = await started.ended;
    return resultOf(selection, outcome, { run: started.run.id, phase });
  }

  /** What was refused is asked again if nothing holds it now; what went, or is no leftover any more, is forgotten. */
  async #again(names: readonly string[], by: CleanupBy): Promise<void> {
    const { rows } = await this.leftovers();
    const rowOf = new Map(rows.map((row) => [row.name, row]));
    this.retries.settle(names.filter((name) => !rowOf.has(name)));
    const there = names.flatMap((name) => rowOf.get(name) ?? []);
    const held = there.filter(({ eligible }) => !eligible);
    this.retries.refuse(
      held.map(({ name, reason = '' }) => ({ name, message: reason })),
      by,
    );
    const free = there.filter(({ eligible }) => eligible).map(({ name }) => name);
    if (free.length > 0) await this.run({ ...by, names: free, wait: true });
  }

  /** Reads from the run what became of each set, and remembers what was refused. */
  async #enterOutcomes(run: string, by: CleanupBy): Promise<Outcome> {
    const refusals = new Map(this.#ports.runs.exceptions(run).map((exception) => [exception.line, exception]));
    const removed: string[] = [];
    const refused: { readonly name: string; readonly message: string }[] = [];
    for (const { firstLine, set } of this.#ports.runs.sections(run)) {
      const refusal = refusals.get(firstLine);
      if (refusal === undefined) removed.push(set);
      else refused.push({ name: set, message: refusal.message ?? refusal.outcome });
    }
    this.retries.settle(removed);
    this.retries.refuse(refused, by);
    if (refused.length === 0) return { removed, kept: [] };
    const reading = await this.#ports.observer.readHolders();
    const kept = refused.map(({ name, message }) => ({
      name,
      reason: withDumps(message, reading),
      holders: [...holdersOf(reading, name), ...reading.dumps],
    }));
    return { removed, kept };
  }
}

interface Outcome {
  readonly removed: readonly string[];
  readonly kept: readonly KeptSet[];
}

const unreadable = (why: string): ApiError =>
  new ApiError('not-ready', `The kernel's sets cannot be read: ${why}`, { remedy: 'Run "setkeeper doctor".' });

function confirmed(selection: CleanupSelection, request: CleanupRequest): void {
  const count = selection.sections.length;
  const details = { digest: selection.digest, eligible: count };
  if (request.digest !== undefined && request.digest !== selection.digest) {
    throw new ApiError('digest-stale', 'What would be destroyed is no longer what was shown.', {
      remedy: 'Look at the leftovers again, and confirm them as they are now.',
      details,
    });
  }
  if (request.confirm !== undefined && request.confirm !== count) {
    throw new ApiError(
      'confirmation-missing',
      `${inSets(count)} would be destroyed, and ${request.confirm} confirmed.`,
      {
        remedy: 'Look at the leftovers again, and confirm their number as it is now.',
        details,
      },
    );
  }
  if (request.names.length > 0 || request.digest !== undefined || request.confirm !== undefined) return;
  throw new ApiError('confirmation-missing', `${inSets(count)} would be destroyed: confirm their number.`, {
    remedy: `Confirm with the number ${count}, with the digest, or name the sets.`,
    details,
  });
}

const inSets = (count: number): string => `${count} ${count === 1 ? 'set' : 'sets'}`;

const actOf = ({ actor, reason }: CleanupBy) => ({ actor, ...(reason === undefined ? {} : { reason }) });

function withinShown(now: CleanupSelection, shown: CleanupSelection): CleanupSelection {
  const names = new Set(shown.sections.map(({ set }) => set));
  const sections = now.sections.filter(({ set }) => names.has(set));
  return { ...shown, sections, kept: now.kept };
}

function whyNot(name: string, { sets }: HostHeaders, { owner, group }: SetOwnership): string {
  if (!sets.some(({ header }) => header.name === name)) return 'there is no such set';
  if (owner === 'managed') return `it is wanted: it belongs to ${group}`;
  return owner === 'internal'
    ? 'the agent itself uses it'
    : 'it is not of a form of Setkeeper: foreign sets are never destroyed';
}

/** The kernel says "in use" too while somebody dumps the set. */
function withDumps(message: string, reading: HolderReading): string {
  if (reading.dumps.length === 0) return message;
  return `${message} (being read by ${reading.dumps.map(({ where }) => where).join(', ')})`;
}

function resultOf(
  selection: CleanupSelection,
  outcome: Outcome,
  run: { readonly run?: string; readonly phase?: string } = {},
): CleanupResult {
  return {
    digest: selection.digest,
    eligible: selection.sections.length,
    script: selection.script,
    removed: [...outcome.removed],
    kept: [...outcome.kept, ...selection.kept],
    ...run,
  };
}

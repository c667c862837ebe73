import { acknowledgementName, protocolWarnings, type SetName } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import { IPSET_ENVIRONMENT } from '../kernel/ipset-environment.ts';
import type { Launcher } from '../launcher/launcher-client.ts';
import { RestoreChild } from './restore-child.ts';

/** Why a child was started: a label of a metric. */
export type ChildReason = 'first' | 'failure' | 'recycled' | 'bulk' | 'batch';

export interface ChildSupplyOptions {
  readonly launcher: Launcher;
  readonly clock: Clock;
  readonly ipsetPath: string;
  /** Null: not installed. Then acknowledgements come only when a child ends, and each batch has a child of its own. */
  readonly stdbufPath: string | null;
  readonly prefix: string;
  /** A new text for each call, so that two agents never share a name. */
  readonly unique: () => string;
  readonly onChild?: (reason: ChildReason) => void;
  /** A protocol warning that a child printed beside its work, each text once. */
  readonly onWarning?: (text: string) => void;
}

/** A child that has touched so many sets is let go: its linear list of them makes it slow. */
const TOUCHED_SETS_MAX = 5_000;
const RETIRE_SECONDS = 10;

/** Starts restore children, keeps one in use and a warm one ready, and lets old ones go. */
export class ChildSupply {
  readonly #options: ChildSupplyOptions;
  readonly #retiring = new Set<RestoreChild>();
  readonly #warned = new Set<string>();
  #current: RestoreChild | null = null;
  #spare: RestoreChild | null = null;
  #nextReason: ChildReason = 'first';
  #acknowledgement: SetName;
  #usedNames: readonly SetName[] = [];

  constructor(options: ChildSupplyOptions) {
    this.#options = options;
    this.#acknowledgement = this.#newName();
  }

  /** True: a child acknowledges as it goes, and serves many runs. */
  get isLongLived(): boolean {
    return this.#options.stdbufPath !== null;
  }

  /** The child in use, or the warm one, or a new one. */
  take(): RestoreChild {
    if (this.#current !== null && isUsable(this.#current)) return this.#current;
    if (this.#current !== null) this.retire('recycled');
    this.#options.onChild?.(this.isLongLived ? this.#nextReason : 'batch');
    const isWarm =
      this.#spare !== null && this.#spare.end === null && this.#spare.acknowledgement === this.#acknowledgement;
    const child = isWarm && this.#spare !== null ? this.#spare : this.#start();
    this.#current = child;
    this.#spare = null;
    // Behind the lines that this child is given now: they must not wait until another process has started.
    if (this.isLongLived) queueMicrotask(() => this.#warmUp());
    return child;
  }

  /** The next failure finds a child that has started already. */
  #warmUp(): void {
    if (this.#current !== null) this.#spare ??= this.#start();
  }

  /** Lets the child in use end by itself; the next `take` gives another one. */
  retire(reason: ChildReason): void {
    const child = this.#current;
    this.#current = null;
    this.#nextReason = reason;
    if (child === null || child.end !== null) return;
    this.#letGo(child);
  }

  /** The child in use hangs and is being killed: nobody waits for it. */
  forget(child: RestoreChild): void {
    if (this.#current === child) this.#current = null;
    this.#nextReason = 'failure';
  }

  /** Another acknowledgement set, because the old name is taken by a set that is not ours. */
  renameAcknowledgement(): void {
    this.#acknowledgement = this.#newName();
    this.retire('failure');
    if (this.#spare !== null) this.#letGo(this.#spare);
    this.#spare = null;
  }

  /** Ends all children. Resolves with the acknowledgement sets that are to be destroyed. */
  async close(): Promise<readonly SetName[]> {
    this.retire('recycled');
    if (this.#spare !== null) this.#letGo(this.#spare);
    this.#spare = null;
    await Promise.all([...this.#retiring].map((child) => child.ended));
    return this.#usedNames;
  }

  #newName(): SetName {
    const name = acknowledgementName(this.#options.prefix, this.#options.unique());
    this.#usedNames = [...this.#usedNames, name];
    return name;
  }

  #start(): RestoreChild {
    const { launcher, ipsetPath, stdbufPath } = this.#options;
    const restore = ['-exist', 'restore'];
    const child = new RestoreChild(
      (request) => launcher.spawn(request),
      {
        file: stdbufPath ?? ipsetPath,
        // Its output is line-buffered only under stdbuf: on a pipe stdio keeps 4 KiB back.
        args: stdbufPath === null ? restore : ['-oL', ipsetPath, ...restore],
        env: IPSET_ENVIRONMENT,
      },
      this.#acknowledgement,
    );
    void child.ended.then(() => this.#tellWarnings(child));
    child.send(`create ${this.#acknowledgement} hash:ip family inet hashsize 64 maxelem 64\n`, 1);
    return child;
  }

  #tellWarnings({ end }: RestoreChild): void {
    for (const warning of protocolWarnings(end?.stderr ?? '')) {
      if (this.#warned.has(warning)) continue;
      this.#warned.add(warning);
      this.#options.onWarning?.(warning);
    }
  }

  #letGo(child: RestoreChild): void {
    this.#retiring.add(child);
    child.onChange = () => undefined;
    if (!child.isInputEnded) child.endInput();
    const cancel = this.#options.clock.after(RETIRE_SECONDS * 1000, () => child.kill('SIGKILL'));
    void child.ended.then(() => {
      cancel();
      this.#retiring.delete(child);
    });
  }
}

const isUsable = (child: RestoreChild): boolean =>
  child.end === null && !child.isInputEnded && child.touched.size < TOUCHED_SETS_MAX;

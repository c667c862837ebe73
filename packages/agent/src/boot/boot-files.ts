import type { SetName } from '@setkeeper/ipset';
import type { Clock } from '../clock.ts';
import type { RenderOperation } from '../plan/rendering.ts';
import type { ProblemBoard } from '../problems/problem-board.ts';
import type { ManagedSet } from '../sets/managed-set.ts';
import type { TextRules } from './acknowledged-text.ts';
import type { BootFolder } from './boot-folder.ts';
import { BootLayout, isListFile } from './boot-layout.ts';
import { type Still, writeAcknowledged } from './write-acknowledged.ts';

export interface BootFilesOptions {
  readonly folder: BootFolder;
  /** Where it is, for people. */
  readonly path: string;
  readonly everySeconds: number;
  readonly sets: () => Iterable<ManagedSet>;
  /** A set whose content is still somebody else's: it was handed over and not released yet. */
  readonly isForeign: (set: ManagedSet) => boolean;
  /** The kernel's sets were taken over: before that nothing is known. */
  readonly isReady: () => boolean;
  readonly render: RenderOperation;
  readonly still: Still;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
}

/** What of a set was written last. */
interface Written {
  readonly set: ManagedSet;
  readonly version: number;
}

const RETRY_SECONDS = 30;

/**
 * Keeps the boot files: the last acknowledged content of every managed set as plain `ipset restore` input, for
 * `packaging/boot/setkeeper-boot` (DESIGN.md invariant 13). Written after a success, at most every so many seconds, and
 * always at a clean stop; only files of which something changed. A set whose content is not known just now keeps the
 * lines that it has.
 */
export class BootFiles {
  readonly #options: BootFilesOptions;
  readonly #written = new Map<SetName, Written>();
  /** Files that have to be written for another reason than a change of their sets. */
  readonly #stale = new Set<string>();
  #layout: BootLayout | null = null;
  #cancel: (() => void) | null = null;
  #work: Promise<void> | null = null;
  #isWoken = false;
  #isStopped = false;
  /** When the next writing may begin, in the clock's monotonic milliseconds. */
  #nextAt = 0;

  constructor(options: BootFilesOptions) {
    this.#options = options;
  }

  /** Something was acknowledged, or nothing is left to do. O(1). */
  wake(): void {
    this.#isWoken = true;
    if (this.#isStopped || this.#cancel !== null || this.#work !== null) return;
    const { clock } = this.#options;
    this.#cancel = clock.after(Math.max(0, this.#nextAt - clock.monotonic()), () => {
      this.#cancel = null;
      this.#begin();
    });
  }

  /** Writes what is not written yet, and ends. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = null;
    await this.#work;
    if (this.#options.isReady()) await this.#write();
  }

  #begin(): void {
    if (!this.#options.isReady()) return;
    this.#isWoken = false;
    this.#work = this.#write().finally(() => {
      this.#work = null;
      if (this.#isWoken) this.wake();
    });
  }

  async #write(): Promise<void> {
    const { clock, everySeconds, problems, path } = this.#options;
    try {
      await this.#writeChanged();
      this.#nextAt = clock.monotonic() + everySeconds * 1000;
      problems.clear('boot-files', path);
    } catch (error) {
      this.#nextAt = clock.monotonic() + Math.max(everySeconds, RETRY_SECONDS) * 1000;
      this.#isWoken = true;
      problems.raise({
        code: 'boot-files',
        subject: path,
        message: `The boot files cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
        consequence: 'After a reboot the sets would hold older content until the agent is at work.',
        remedy: 'Make the folder writable for the agent, or give it room. It is tried again by itself.',
      });
    }
  }

  async #writeChanged(): Promise<void> {
    const layout = await this.#knownLayout();
    const sets = this.#setsToWrite(layout);
    const placed = [...sets].map(([name, set]) => ({
      name,
      isList: set.family === null,
      elements: set.ledger.programmed ?? 0,
    }));
    const before = layout.files();
    const moved = layout.place(placed);
    for (const file of moved) this.#stale.add(file);
    for (const name of this.#written.keys()) if (!sets.has(name)) this.#written.delete(name);
    const files = layout.files();
    // What a list may name are the sets that are written down.
    if (moved.size > 0) for (const file of files) if (isListFile(file)) this.#stale.add(file);
    const rules: TextRules = {
      render: this.#options.render,
      isLoadable: (element) => layout.has(element as string as SetName),
    };
    const changed = files.filter((file) => this.#stale.has(file) || this.#hasChanged(layout.setsOf(file), sets));
    for (const file of changed) await this.#writeFile(file, sets, rules);
    const isGone = before.some((file) => !files.includes(file));
    if (changed.length > 0 || isGone) await this.#options.folder.keepOnly(files);
  }

  /** Where sets stood when an earlier agent wrote them; all of it is written again once. */
  async #knownLayout(): Promise<BootLayout> {
    if (this.#layout !== null) return this.#layout;
    const layout = new BootLayout();
    for (const [file, sets] of await this.#options.folder.find()) {
      layout.found(file, sets);
      this.#stale.add(file);
    }
    this.#layout = layout;
    return layout;
  }

  /** Sets with content that was acknowledged, and those that had some and of which nothing is known just now. */
  #setsToWrite(layout: BootLayout): ReadonlyMap<SetName, ManagedSet> {
    const sets = new Map<SetName, ManagedSet>();
    for (const set of this.#options.sets()) {
      if (set.collidesWith !== null || this.#options.isForeign(set)) continue;
      const { kind } = set.ledger.content;
      const isLost = (kind === 'unknown' && set.life.phase !== 'waiting') || (kind === 'absent' && set.drift !== null);
      if (kind === 'known' || (isLost && layout.has(set.name))) sets.set(set.name, set);
    }
    return sets;
  }

  #hasChanged(names: Iterable<SetName>, sets: ReadonlyMap<SetName, ManagedSet>): boolean {
    for (const name of names) {
      const set = sets.get(name);
      const written = this.#written.get(name);
      if (set?.ledger.content.kind !== 'known') continue;
      if (written?.set !== set || written.version !== set.ledger.version) return true;
    }
    return false;
  }

  async #writeFile(file: string, sets: ReadonlyMap<SetName, ManagedSet>, rules: TextRules): Promise<void> {
    const { folder } = this.#options;
    const names = [...(this.#layout?.setsOf(file) ?? [])];
    const lost = new Set(names.filter((name) => sets.get(name)?.ledger.content.kind !== 'known'));
    const earlier = lost.size === 0 ? new Map<SetName, string>() : await folder.linesOf(file, lost);
    const versions = new Map<SetName, Written>();
    let isWhole = true;
    await folder.write(file, async (sink) => {
      for (const name of names) {
        const set = sets.get(name);
        if (set === undefined) continue;
        const written = await writeAcknowledged(set, rules, sink, this.#options.still);
        if (written.kind === 'written') {
          versions.set(name, { set, version: written.version });
          continue;
        }
        if (lost.has(name)) {
          await sink.write(earlier.get(name) ?? '');
          continue;
        }
        // It was known when the writing began, or changed again and again: the next writing sees what became of it.
        isWhole = false;
        await sink.write((await folder.linesOf(file, new Set([name]))).get(name) ?? '');
      }
    });
    for (const [name, written] of versions) this.#written.set(name, written);
    if (isWhole) this.#stale.delete(file);
    else this.#isWoken = true;
  }
}

import type { Fault } from '@setkeeper/api';
import type { Clock } from '../clock.ts';
import type { ModelChange } from '../model/change.ts';
import { createBreather } from '../sources/breather.ts';
import { DirectoryContent } from '../sources/directory/directory-content.ts';
import type { ParsedFile } from '../sources/directory/parsed-file.ts';
import { createMerge, type Merge } from '../sources/merge.ts';

/** A model directory, one generation after the other, by the rules of a directory source: what has a fault keeps its last good value. */
export class PaperModel {
  readonly #source: string;
  readonly #clock: Clock;
  readonly #content: DirectoryContent;
  readonly #merge: Merge;

  constructor(source: string, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#content = new DirectoryContent(source);
    this.#merge = createMerge({ order: [{ name: source, kind: 'directory' }], clock });
  }

  /** The directory has exactly these files now; null: nothing of the model changes by that. */
  async generation(files: ReadonlyMap<string, ParsedFile>): Promise<ModelChange | null> {
    const breathe = createBreather(this.#clock);
    const changed = new Map<string, ParsedFile | null>(files);
    for (const path of this.#content.paths()) if (!files.has(path)) changed.set(path, null);
    const { upserts, deletes } = await this.#content.apply(changed, undefined, breathe);
    const update = {
      source: this.#source,
      state: 'current' as const,
      since: this.#clock.now(),
      upserts,
      deletes,
      faults: this.#content.faults(),
      files: [...changed.keys()],
    };
    return this.#merge.applyInSlices(update, breathe);
  }

  /** Errors that stand in the newest generation. */
  faults(): readonly Fault[] {
    return this.#content.faults().filter(({ severity }) => severity === 'error');
  }
}

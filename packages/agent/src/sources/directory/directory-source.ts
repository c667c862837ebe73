import { ApiError } from '@setkeeper/api';
import type { Clock } from '../../clock.ts';
import type { LastGoodRepository } from '../../store/store.ts';
import { createBreather } from '../breather.ts';
import { LastGood } from '../last-good.ts';
import type { Source, SourceState, SourceUpdate } from '../source.ts';
import { type ContentChange, DirectoryContent } from './directory-content.ts';
import { createDirectoryWatch, type DirectoryWatch } from './directory-watch.ts';
import { type GitState, gitState } from './git-commit.ts';
import type { ModelParser } from './model-parser.ts';
import { Quiet } from './quiet.ts';
import { ScanCache } from './scan-cache.ts';
import { type Walk, walkModel } from './walk-model.ts';

/** What a directory source needs. */
export interface DirectorySourceOptions {
  readonly name: string;
  readonly path: string;
  /** A directory is read when nothing changed in it for so long. */
  readonly quietMs: number;
  readonly clock: Clock;
  readonly lastGood: LastGoodRepository;
  readonly parser: ModelParser;
  /** How often the directory is looked at without any hint. Default 15 s; 2 s where it cannot be watched. */
  readonly rescanMs?: number;
}

type GoodWalk = Extract<Walk, { ok: true }>;

/**
 * A directory of model documents, delivered in whole generations: read when it has been quiet, or at once when a link was
 * switched. A directory that cannot be listed is stale, never empty; what was last good stands until a good file says
 * otherwise.
 */
export function createDirectorySource(options: DirectorySourceOptions): Source {
  return new DirectorySource(options);
}

const NOTHING: ContentChange = { upserts: [], saved: [], deletes: [] };
const FILES_TOLD_MAX = 1_000;

class DirectorySource implements Source {
  readonly kind = 'directory';
  readonly name: string;
  readonly #options: DirectorySourceOptions;
  readonly #lastGood: LastGood;
  readonly #cache = new ScanCache();
  readonly #quiet: Quiet;
  readonly #watch: DirectoryWatch;
  readonly #content: DirectoryContent;
  #deliver: (update: SourceUpdate) => void = () => {};
  #state: { readonly is: SourceState; readonly since: number } = { is: 'missing', since: 0 };
  #detail = '';
  #commit: string | undefined;
  #isStopped = false;
  #wake: () => void = () => {};
  #isWoken = false;
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: DirectorySourceOptions) {
    this.name = options.name;
    this.#options = options;
    this.#lastGood = new LastGood(options.lastGood, options.name);
    this.#quiet = new Quiet(options.clock, options.quietMs);
    this.#content = new DirectoryContent(options.name);
    this.#watch = createDirectoryWatch(() => {
      this.#quiet.hint();
      this.#hint();
    });
  }

  async start(deliver: (update: SourceUpdate) => void): Promise<void> {
    this.#deliver = deliver;
    await this.#alone(() => this.#restore());
    void this.#run();
  }

  /** Last good content first, in slices: a million objects keep nobody waiting. */
  async #restore(): Promise<void> {
    const breathe = createBreather(this.#options.clock);
    const records = await this.#lastGood.load(breathe);
    const facts = this.#lastGood.facts();
    await this.#content.restore(records, breathe);
    this.#commit = facts?.commit;
    const hasSpoken = facts !== null || records.length > 0;
    this.#state = { is: hasSpoken ? 'stale' : 'missing', since: facts?.at ?? this.#options.clock.now() };
    this.#detail = 'not read yet since the start of the agent';
    this.#tell({ upserts: records, saved: [], deletes: [] }, []);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#watch.close();
    this.#hint();
    await this.#working;
    await this.#options.parser.close();
  }

  async accept(): Promise<void> {
    await this.#alone(async () => {
      const walk = await walkModel(this.#options.path);
      if (!walk.ok) {
        throw new ApiError(
          'blocked',
          `${this.name} says nothing now that could be taken as complete: ${walk.reason}.`,
          {
            subject: this.name,
            remedy: 'Make the directory readable, or take the source out of the configuration.',
          },
        );
      }
      const fingerprint = await this.#cache.fingerprint(walk);
      if (!this.#quiet.isAccepted(fingerprint) && !(await this.#read(walk, fingerprint))) {
        throw new ApiError('not-ready', `${this.name} is changing right now.`, {
          subject: this.name,
          remedy: 'Try again when the directory has come to rest.',
        });
      }
      const change = await this.#content.acceptAsComplete(createBreather(this.#options.clock));
      await this.#finish(change, []);
    });
  }

  /** Looks, then waits for a hint or the next round, until the end. */
  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false;
      const againMs = await this.#alone(() => this.#look()).catch((error: unknown) => {
        this.#lose(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
        return 2_000;
      });
      if (!this.#isStopped) await this.#sleep(againMs);
    }
  }

  /** One look at the directory; gives the time after which the next one is due. */
  async #look(): Promise<number> {
    if (this.#isStopped) return 0;
    const walk = await walkModel(this.#options.path);
    const { clock, path, rescanMs = 15_000 } = this.#options;
    this.#watch.watch(path, walk.ok ? walk.directories : []);
    if (!walk.ok) {
      this.#lose(walk.reason);
      return Math.min(rescanMs, 2_000);
    }
    const isAtWork = this.#isGitAtWork(await gitState(walk.realRoot));
    const fingerprint = await this.#cache.fingerprint(walk);
    const idleMs = clock.now() - walk.changedAt;
    const waitMs = this.#quiet.waitMs({ fingerprint, switchedTo: walk.switchedTo, idleMs, isAtWork });
    if (waitMs > 0) return waitMs;
    if (this.#quiet.isAccepted(fingerprint) && this.#state.is === 'current') {
      return this.#watch.trouble === null ? rescanMs : Math.min(rescanMs, 2_000);
    }
    return (await this.#read(walk, fingerprint)) ? 0 : this.#options.quietMs;
  }

  /** Reads a generation; false if it changed while it was read, and nothing was taken of it. */
  async #read(walk: GoodWalk, fingerprint: string): Promise<boolean> {
    const scan = await this.#cache.read(walk, this.#options.parser, this.#content.paths());
    if (this.#isStopped) return true;
    const again = await walkModel(this.#options.path);
    const git = await gitState(walk.realRoot);
    const isSame = again.ok && again.switchedTo === walk.switchedTo && haveSameFiles(walk, again);
    const isWhole = isSame && !scan.isTorn && !this.#isGitAtWork(git);
    if (!isWhole && !this.#quiet.isOverdue()) return false;
    this.#commit = git?.commit ?? undefined;
    const breathe = createBreather(this.#options.clock);
    const change = await this.#content.apply(scan.changed, this.#commit, breathe);
    this.#cache.accept(walk, scan);
    // Not whole and overdue: what was read stands, and the next look reads again.
    this.#quiet.accept(isWhole ? this.#cache.acceptedFingerprint(walk) : `overdue ${fingerprint}`, walk.switchedTo);
    await this.#finish(change, [...scan.changed.keys()]);
    return true;
  }

  /** A lock older than a minute was left behind by a git that died. */
  #isGitAtWork(git: GitState | null): boolean {
    return git?.lockedSince != null && this.#options.clock.now() - git.lockedSince < 60_000;
  }

  async #finish(change: ContentChange, files: readonly string[]): Promise<void> {
    const at = this.#options.clock.now();
    const commit = this.#commit === undefined ? {} : { commit: this.#commit };
    if (this.#state.is !== 'current') this.#state = { is: 'current', since: at };
    await this.#lastGood.save(change.saved, change.deletes, { at, ...commit });
    this.#detail = [this.#lastGood.trouble, this.#watch.trouble].filter((each) => each !== null).join('; ');
    this.#tell(change, files);
  }

  #lose(reason: string): void {
    const is = this.#state.is === 'missing' ? 'missing' : 'stale';
    const isNew = this.#state.is !== is || this.#detail !== reason;
    if (this.#state.is !== is) this.#state = { is, since: this.#options.clock.now() };
    this.#detail = reason;
    this.#quiet.forget();
    if (isNew) this.#tell(NOTHING, []);
  }

  #tell({ upserts, deletes }: ContentChange, files: readonly string[]): void {
    if (this.#isStopped) return;
    this.#deliver({
      source: this.name,
      state: this.#state.is,
      since: this.#state.since,
      upserts,
      deletes,
      faults: this.#content.faults(),
      files: files.slice(0, FILES_TOLD_MAX),
      ...(this.#commit === undefined ? {} : { commit: this.#commit }),
      ...(this.#detail === '' ? {} : { detail: this.#detail }),
    });
  }

  #hint(): void {
    this.#isWoken = true;
    this.#wake();
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isWoken || this.#isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  /** One thing at a time. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#working.then(work);
    this.#working = result.catch(() => {});
    return result;
  }
}

const haveSameFiles = (a: GoodWalk, b: GoodWalk): boolean =>
  a.files.size === b.files.size &&
  a.files.values().every(({ path, signature }) => b.files.get(path)?.signature === signature);

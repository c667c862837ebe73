import { ApiError } from '@setkeeper/api';
import type { Clock } from '../../clock.ts';
import type { LastGoodRepository } from '../../store/store.ts';
import { createBreather } from '../breather.ts';
import { LastGood } from '../last-good.ts';
import type { Source, SourceState, SourceUpdate } from '../source.ts';
import { CalicoV1Layout } from './calico-v1-layout.ts';
import type { EtcdConnection, EtcdConnector } from './etcd-connection.ts';
import { EtcdContent, type EtcdContentChange } from './etcd-content.ts';
import type { EtcdLayout } from './etcd-layout.ts';
import { EtcdSession } from './etcd-session.ts';
import { createEtcd3Connector, type Etcd3ConnectorOptions } from './etcd3-connector.ts';
import { SetkeeperLayout } from './setkeeper-layout.ts';

/** What an etcd source needs. */
export interface EtcdSourceOptions extends Omit<Etcd3ConnectorOptions, 'prefix'> {
  readonly name: string;
  readonly endpoints: readonly string[];
  readonly prefix: string;
  readonly layout: 'setkeeper' | 'calico-v1';
  /** This host's name: `calico-v1` makes references of what has endpoints here. */
  readonly host: string;
  readonly clock: Clock;
  readonly lastGood: LastGoodRepository;
  /** How etcd is reached; default: the etcd3 library. */
  readonly connector?: EtcdConnector;
  /** The first pause after a failure, doubled up to `backOffMsMax`. Default 500 ms and 30 s. */
  readonly backOffMs?: number;
  readonly backOffMsMax?: number;
}

/**
 * Objects in etcd v3. Every connection begins with a whole snapshot at one revision and follows every change after it, so
 * nothing is lost or invented whatever happened in between: compaction, a restored backup, another cluster. A cluster
 * that is gone leaves everything as it was last good, and the source says since when.
 */
export function createEtcdSource(options: EtcdSourceOptions): Source {
  return new EtcdSource(options);
}

/** The prefix of the configuration's default belongs to our own layout; the old data has always stood elsewhere. */
const prefixOf = ({ layout, prefix }: EtcdSourceOptions): string =>
  layout === 'calico-v1' && prefix === '/setkeeper/v1' ? '/calico/v1' : prefix;

const NOTHING: EtcdContentChange = { upserts: [], deletes: [] };

class EtcdSource implements Source {
  readonly kind = 'etcd';
  readonly name: string;
  readonly #options: EtcdSourceOptions;
  readonly #connect: EtcdConnector;
  readonly #lastGood: LastGood;
  readonly #content: EtcdContent;
  #layout: EtcdLayout | null = null;
  #deliver: (update: SourceUpdate) => void = () => {};
  #state: { readonly is: SourceState; readonly since: number } = { is: 'missing', since: 0 };
  #detail = '';
  #isStopped = false;
  #session: EtcdSession | null = null;
  #endSleep: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #working: Promise<unknown> = Promise.resolve();

  constructor(options: EtcdSourceOptions) {
    this.name = options.name;
    this.#options = options;
    const prefix = `${prefixOf(options).replace(/\/+$/u, '')}/`;
    this.#connect = options.connector ?? createEtcd3Connector({ ...options, prefix });
    this.#lastGood = new LastGood(options.lastGood, options.name);
    this.#content = new EtcdContent(options.name);
  }

  async start(deliver: (update: SourceUpdate) => void): Promise<void> {
    this.#deliver = deliver;
    const breathe = createBreather(this.#options.clock);
    const records = await this.#lastGood.load(breathe);
    const facts = this.#lastGood.facts();
    await this.#content.restore(records, breathe);
    if (this.#isStopped) return;
    const hasSpoken = facts !== null || records.length > 0;
    this.#state = { is: hasSpoken ? 'stale' : 'missing', since: facts?.at ?? this.#options.clock.now() };
    this.#detail = 'not read yet since the start of the agent';
    this.#tell({ upserts: records, deletes: [] });
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#session?.end('stopped');
    this.#endSleep();
    await this.#running;
  }

  async accept(): Promise<void> {
    if (this.#state.is !== 'current') {
      throw new ApiError('blocked', `${this.name} says nothing now that could be taken as complete: ${this.#detail}.`, {
        subject: this.name,
        remedy: 'Make etcd reachable, or take the source out of the configuration.',
      });
    }
    await this.#alone(() => this.#finish(this.#content.acceptAsComplete(), this.#detail));
  }

  /** One session after the other, each with the next endpoint, with growing pauses while none succeeds. */
  async #run(): Promise<void> {
    const { endpoints, backOffMs = 500, backOffMsMax = 30_000 } = this.#options;
    let pauseMs = backOffMs;
    for (let turn = 0; !this.#isStopped; turn++) {
      const endpoint = endpoints[turn % endpoints.length] ?? '';
      const wasGood = await this.#serve(endpoint);
      if (this.#isStopped) return;
      // Every endpoint has its turn before the pause grows.
      if (wasGood) pauseMs = backOffMs;
      else if ((turn + 1) % endpoints.length === 0) pauseMs = Math.min(pauseMs * 2, backOffMsMax);
      await this.#sleep(pauseMs * (0.75 + Math.random() / 2));
    }
  }

  /** A session with one endpoint until it ends; whether it ever was current. */
  async #serve(endpoint: string): Promise<boolean> {
    const { clock } = this.#options;
    let isGood = false;
    let connection: EtcdConnection | null = null;
    try {
      connection = await this.#connect(endpoint);
      const layout = this.#newLayout();
      const session = new EtcdSession(connection, clock);
      this.#session = session;
      if (this.#isStopped) return false;
      const position = await session.readInto(layout);
      const where = `revision ${position.revision} of cluster ${position.clusterId} at ${endpoint}`;
      await this.#alone(async () => {
        this.#layout = layout;
        await this.#finish(await this.#content.replace(layout.take(), createBreather(clock)), where);
      });
      isGood = true;
      await session.follow(async (changes, revision) => {
        await this.#alone(async () => {
          for (const change of changes) layout.set(change);
          const change = await this.#content.update(layout.take(), createBreather(clock));
          await this.#finish(change, `revision ${revision} of cluster ${position.clusterId} at ${endpoint}`);
        });
      });
    } catch (error) {
      this.#lose(`${endpoint}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      this.#session = null;
      connection?.close();
    }
    return isGood;
  }

  #newLayout(): EtcdLayout {
    return this.#options.layout === 'setkeeper' ? new SetkeeperLayout() : new CalicoV1Layout(this.#options.host);
  }

  /** Safe first, then told. */
  async #finish(change: EtcdContentChange, where: string): Promise<void> {
    const at = this.#options.clock.now();
    if (this.#state.is !== 'current') this.#state = { is: 'current', since: at };
    await this.#lastGood.save(change.upserts, change.deletes, { at, detail: where });
    this.#detail = this.#lastGood.trouble === null ? where : `${where}; ${this.#lastGood.trouble}`;
    this.#tell(change);
  }

  #lose(reason: string): void {
    if (this.#isStopped) return;
    const is = this.#state.is === 'missing' ? 'missing' : 'stale';
    const isNew = this.#state.is !== is || this.#detail !== reason;
    if (this.#state.is !== is) this.#state = { is, since: this.#options.clock.now() };
    this.#detail = reason;
    if (isNew) this.#tell(NOTHING);
  }

  #tell({ upserts, deletes }: EtcdContentChange): void {
    if (this.#isStopped) return;
    this.#deliver({
      source: this.name,
      state: this.#state.is,
      since: this.#state.since,
      upserts,
      deletes,
      faults: this.#layout?.faults() ?? [],
      files: [],
      detail: this.#detail,
    });
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.after(ms, resolve);
      this.#endSleep = () => {
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

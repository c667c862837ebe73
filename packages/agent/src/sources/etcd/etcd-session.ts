import type { Clock } from '../../clock.ts';
import { createBreather } from '../breather.ts';
import type { EtcdChange, EtcdConnection, EtcdPosition } from './etcd-connection.ts';
import type { EtcdLayout } from './etcd-layout.ts';

/** How often the cluster is asked whether it is still there; two unanswered questions end a session. */
const ASK_EVERY_MS = 5_000;
/** After a question without an answer the second one comes soon: whoever is cut off looks for another member. */
const ASK_AGAIN_MS = 500;

/** A session is over: why, in words for people. */
export class EtcdSessionOver extends Error {}

/** One connection from its snapshot on: what came, in order, and the moment when it can no longer be trusted. */
export class EtcdSession {
  readonly #connection: EtcdConnection;
  readonly #clock: Clock;
  readonly #inbox: EtcdChange[] = [];
  #position: EtcdPosition | null = null;
  #over: string | null = null;
  #wake: () => void = () => {};

  constructor(connection: EtcdConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Ends the session from outside. */
  end(reason: string): void {
    this.#over ??= reason;
    this.#wake();
  }

  /** The whole content, and then the watch for what comes after it. */
  async readInto(layout: EtcdLayout): Promise<EtcdPosition> {
    const breathe = createBreather(this.#clock);
    const position = await this.#connection.snapshot(async (pairs) => {
      this.#throwIfOver();
      for (const pair of pairs) {
        layout.set(pair);
        const pause = breathe();
        if (pause !== null) await pause;
      }
    });
    this.#throwIfOver();
    this.#position = position;
    await this.#connection.watch(position.revision + 1n, {
      onChanges: (changes, at) => {
        if (this.#isForeign(at, this.#position)) return;
        for (const change of changes) this.#inbox.push(change);
        this.#position = at;
        this.#wake();
      },
      onLost: (reason) => this.end(reason),
    });
    return position;
  }

  /** Hands on what comes, all that is there at a time, until the session is over: then it throws EtcdSessionOver. */
  async follow(take: (changes: readonly EtcdChange[], revision: bigint) => Promise<void>): Promise<never> {
    const stopAsking = this.#askNowAndThen();
    try {
      for (;;) {
        this.#throwIfOver();
        const changes = this.#inbox.splice(0);
        if (changes.length > 0) await take(changes, this.#position?.revision ?? 0n);
        else await this.#news();
      }
    } finally {
      stopAsking();
    }
  }

  #news(): Promise<void> {
    if (this.#inbox.length > 0 || this.#over !== null) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** A watch that is silent says nothing: a member that is cut off from its cluster goes on being silent. */
  #askNowAndThen(): () => void {
    let unanswered = 0;
    let cancel = () => {};
    const ask = async () => {
      const before = this.#position;
      try {
        this.#isForeign(await this.#connection.position(), before);
        unanswered = 0;
      } catch (error) {
        unanswered++;
        if (unanswered > 1) this.end(error instanceof Error ? error.message : String(error));
      }
      if (this.#over === null) again();
    };
    const again = () => {
      cancel = this.#clock.after(unanswered > 0 ? ASK_AGAIN_MS : ASK_EVERY_MS, () => void ask());
    };
    again();
    return () => cancel();
  }

  /** Another cluster, or one whose history went back: what is known of it means nothing. */
  #isForeign({ clusterId, revision }: EtcdPosition, known: EtcdPosition | null): boolean {
    if (known === null) return false;
    if (clusterId !== known.clusterId) this.end(`the cluster is another one: ${clusterId}, was ${known.clusterId}`);
    else if (revision < known.revision) this.end(`its revision went back from ${known.revision} to ${revision}`);
    else return false;
    return true;
  }

  #throwIfOver(): void {
    if (this.#over !== null) throw new EtcdSessionOver(this.#over);
  }
}

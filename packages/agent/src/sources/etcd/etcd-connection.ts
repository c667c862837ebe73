/** A key below the prefix, without it, and its value; null: deleted. `isText` is false where bytes are no UTF-8. */
export interface EtcdChange {
  readonly key: string;
  readonly value: string | null;
  readonly isText: boolean;
}

/** Where a cluster stands: which cluster, and its revision. */
export interface EtcdPosition {
  readonly clusterId: string;
  readonly revision: bigint;
}

/** What a watch tells. After `onLost` it tells nothing more. */
export interface EtcdWatchHandlers {
  /** Everything of one or more whole revisions, in order. */
  readonly onChanges: (changes: readonly EtcdChange[], position: EtcdPosition) => void;
  readonly onLost: (reason: string) => void;
}

/** A connection to one member of an etcd cluster. Everything goes to that one member, so that it is seen when it is cut off. */
export interface EtcdConnection {
  /** Every key below the prefix as of one revision, page by page. Rejects if that revision is compacted away meanwhile. */
  snapshot(onPage: (pairs: readonly EtcdChange[]) => Promise<void>): Promise<EtcdPosition>;
  /** Every change from `revision` on. */
  watch(revision: bigint, handlers: EtcdWatchHandlers): Promise<void>;
  /** Asks the cluster, not only this member, where it stands: rejects where there is no leader. */
  position(): Promise<EtcdPosition>;
  close(): void;
}

/** Opens a connection to an endpoint. Credentials are read anew each time. Rejects with a sentence. */
export type EtcdConnector = (endpoint: string) => Promise<EtcdConnection>;

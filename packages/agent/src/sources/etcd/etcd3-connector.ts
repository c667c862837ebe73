import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import type { Etcd3, IEvent, IKeyValue, IOptions, IResponseHeader, IWatchResponse } from 'etcd3';
import type { EtcdChange, EtcdConnection, EtcdConnector, EtcdPosition, EtcdWatchHandlers } from './etcd-connection.ts';

/** How a cluster is reached and who asks. Paths of files; `prefix` ends in a slash. */
export interface Etcd3ConnectorOptions {
  readonly prefix: string;
  readonly username?: string | undefined;
  readonly passwordFile?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

const KEYS_A_PAGE = 2_000;
const REQUEST_MS = 5_000;

/** Connects with the etcd3 library, which is loaded at the first connection: an agent without etcd does not carry it. */
export function createEtcd3Connector(options: Etcd3ConnectorOptions): EtcdConnector {
  return async (endpoint) => {
    // By its default: in a bundle a CommonJS module has no other name.
    const { default: etcd3 } = await import('etcd3');
    return new Etcd3Connection(new etcd3.Etcd3(await clientOptions(endpoint, options)), options.prefix);
  };
}

async function clientOptions(endpoint: string, options: Etcd3ConnectorOptions): Promise<IOptions> {
  const { username, passwordFile, ca, cert, key } = options;
  const isSecured = ca !== undefined || cert !== undefined;
  const credentials = {
    rootCertificate: ca === undefined ? Buffer.from(rootCertificates.join('\n')) : await readFile(ca),
    ...(key === undefined ? {} : { privateKey: await readFile(key) }),
    ...(cert === undefined ? {} : { certChain: await readFile(cert) }),
  };
  if (username !== undefined && passwordFile === undefined) throw new Error('a username needs a passwordFile');
  const auth =
    username === undefined || passwordFile === undefined
      ? {}
      : { auth: { username, password: (await readFile(passwordFile, 'utf8')).replace(/\r?\n$/u, '') } };
  return {
    hosts: [endpoint],
    ...(isSecured ? { credentials } : {}),
    ...auth,
    defaultCallOptions: ({ isStream }) => (isStream ? {} : { deadline: Date.now() + REQUEST_MS }),
    grpcOptions: {
      'grpc.max_receive_message_length': -1,
      'grpc.keepalive_time_ms': 10_000,
      'grpc.keepalive_timeout_ms': 5_000,
    },
  };
}

class Etcd3Connection implements EtcdConnection {
  readonly #client: Etcd3;
  readonly #prefix: string;
  readonly #range: { readonly key: Buffer; readonly range_end: Buffer };
  #cancelWatch: () => void = () => {};

  constructor(client: Etcd3, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
    this.#range = { key: Buffer.from(prefix), range_end: endOf(prefix) };
  }

  async snapshot(onPage: (pairs: readonly EtcdChange[]) => Promise<void>): Promise<EtcdPosition> {
    let key = this.#range.key;
    let position: EtcdPosition | null = null;
    for (;;) {
      const at: { revision?: string } = position === null ? {} : { revision: String(position.revision) };
      const page = await this.#client.kv.range({ ...this.#range, key, limit: KEYS_A_PAGE, ...at });
      position ??= positionOf(page.header);
      await onPage(page.kvs.map((pair) => this.#pair(pair)));
      const last = page.kvs.at(-1);
      if (!page.more || last === undefined) return position;
      key = Buffer.concat([last.key, Buffer.from([0])]);
    }
  }

  async watch(revision: bigint, { onChanges, onLost }: EtcdWatchHandlers): Promise<void> {
    const stream = await this.#client.watchClient.watch();
    let isOver = false;
    const lose = (reason: string) => {
      if (isOver) return;
      isOver = true;
      stream.cancel();
      onLost(reason);
    };
    this.#cancelWatch = () => {
      isOver = true;
      stream.cancel();
    };
    stream
      .on('data', (response) => {
        if (isOver) return;
        const reason = endOfWatch(response);
        if (reason !== null) lose(reason);
        else if (response.events.length > 0) {
          const changes = response.events.map((event) => this.#event(event));
          onChanges(changes, positionOf(response.header));
        }
      })
      .on('error', (error) => lose(etcdReason(error)))
      .on('end', () => lose('the watch ended'));
    stream.write({
      // Whole revisions only: an answer is never split in the middle of a transaction.
      create_request: { ...this.#range, start_revision: String(revision), fragment: false },
    } as Parameters<typeof stream.write>[0]);
  }

  async position(): Promise<EtcdPosition> {
    const { header } = await this.#client.kv.range({ ...this.#range, count_only: true, serializable: false });
    return positionOf(header);
  }

  close(): void {
    this.#cancelWatch();
    this.#client.close();
  }

  #event({ type, kv }: IEvent): EtcdChange {
    return type === 'Delete' || String(type) === 'DELETE' ? { ...this.#pair(kv), value: null } : this.#pair(kv);
  }

  #pair({ key, value }: Pick<IKeyValue, 'key' | 'value'>): EtcdChange {
    const [keyText, valueText] = [key.toString('utf8'), value.toString('utf8')];
    // A replacement character in the text is a replacement character in the bytes, or it stands for bytes that are no UTF-8.
    const isText = isExact(keyText, key) && isExact(valueText, value);
    return { key: keyText.slice(this.#prefix.length), value: valueText, isText };
  }
}

const isExact = (text: string, bytes: Buffer): boolean => !text.includes('\ufffd') || Buffer.from(text).equals(bytes);

const positionOf = ({ cluster_id, revision }: IResponseHeader): EtcdPosition => ({
  clusterId: cluster_id,
  revision: BigInt(revision),
});

/** Why an answer is the last one of a watch, or null. */
function endOfWatch({ canceled, compact_revision, cancel_reason }: IWatchResponse): string | null {
  if (compact_revision !== '0') return `what was to be watched is compacted away (revision ${compact_revision})`;
  return canceled ? `the watch was ended by etcd: ${cancel_reason === '' ? 'no reason given' : cancel_reason}` : null;
}

/** The first key after all that begin with the prefix. */
function endOf(prefix: string): Buffer {
  const bytes = Buffer.from(prefix);
  const last = bytes.at(-1) ?? 0;
  return Buffer.concat([bytes.subarray(0, -1), Buffer.from([last + 1])]);
}

/** What etcd or the connection to it said, as one line. */
export const etcdReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/gu, ' ').slice(0, 300);

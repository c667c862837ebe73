import { createHash } from 'node:crypto';
import { join } from 'node:path';

/**
 * Every place that a running `./start` uses, made from the checkout's path alone, so that two checkouts never meet and
 * the next start of the same one finds what a crash left.
 */
export interface Layout {
  readonly root: string;
  /** The network namespace of `private` mode: `setkeeper-` and 6 hex digits of the checkout's path. */
  readonly namespace: string;
  /** Sockets and mount points; gone after a stop. Short, because a unix socket's path has 107 bytes at most. */
  readonly runtimeDirectory: string;
  readonly agentSocket: string;
  readonly adminSocket: string;
  /** Configuration, stores and keys; kept between starts. */
  readonly stateDirectory: string;
  readonly agentConfig: string;
  readonly runFile: string;
  /** The part of the state that belongs to the gateway's user. */
  readonly gatewayState: string;
  /**
   * User and group of the gateway: a number without an account, from the range that systemd uses for dynamic users, so
   * that nothing on the machine belongs to it and nothing has to be added to /etc/passwd.
   */
  readonly gatewayUser: number;
}

/** The layout of the checkout at `root` (an absolute path). */
export function layoutOf(root: string): Layout {
  const digest = createHash('sha256').update(root).digest();
  const name = `setkeeper-${digest.toString('hex').slice(0, 6)}`;
  const runtimeDirectory = `/run/${name}`;
  const stateDirectory = join(root, '.setkeeper');
  return {
    root,
    namespace: name,
    runtimeDirectory,
    agentSocket: join(runtimeDirectory, 'agent.sock'),
    adminSocket: join(runtimeDirectory, 'admin.sock'),
    stateDirectory,
    agentConfig: join(stateDirectory, 'agent.yaml'),
    runFile: join(stateDirectory, 'run.json'),
    gatewayState: join(stateDirectory, 'gateway'),
    gatewayUser: 61_184 + (digest.readUInt16BE(0) % 4_336),
  };
}

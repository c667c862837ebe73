import { existsSync, readFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type AgentLink, createAgentLink } from './agents/agent-link.ts';
import { createStreamLeases, renewalSeconds } from './agents/stream-leases.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { readConsoleFiles } from './console/console-files.ts';
import { readSigningKey } from './identity/signing-key.ts';
import { createAccountReports } from './logins/account-reports.ts';
import { openAccountStore } from './logins/account-store.ts';
import { createLogins } from './logins/create-logins.ts';
import type { Logins } from './logins/logins.ts';
import { createNoLogins } from './logins/no-logins.ts';
import { createGatewayMetrics } from './metrics/gateway-metrics.ts';
import { dropPrivileges, handOverStore, planUnprivileged } from './privileges/drop-privileges.ts';
import { createServer } from './server.ts';

/** A gateway that runs. */
export interface RunningGateway {
  /** Where it listens, e.g. `http://127.0.0.1:8470`. */
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** How long a root-started gateway waits for the agents' sockets, to learn their group. */
const socketPatienceMs = 10_000;

/**
 * Starts a gateway: reads all that needs rights, gives up root where it has it, and listens. Throws with a sentence for
 * what is wrong with the configuration or the machine.
 */
export async function runGateway(
  config: GatewayConfig,
  o: {
    readonly log: FastifyBaseLogger;
    readonly version: string;
    /** For tests in a process of root's: what is given up is given up for the whole process. */
    readonly keepsPrivileges?: boolean;
  },
): Promise<RunningGateway> {
  const { log, version } = o;
  const signingKey = readSigningKey(config.signingKey);
  const tls =
    config.tls === undefined ? undefined : { cert: readFileSync(config.tls.cert), key: readFileSync(config.tls.key) };
  const console = readConsoleFiles(config.console);
  if (console.byPath.size === 0) log.warn({ console: config.console }, 'the console is not built: its folder is empty');
  const links = config.agents.map((agent) => createAgentLink(agent, signingKey));
  const [first, ...others] = links;
  if (first === undefined) throw new Error('gateway.yaml names no agent');

  const isPrivilegedPort = config.listen.port > 0 && config.listen.port < 1024;
  const unprivileged =
    process.getuid?.() === 0 && o.keepsPrivileges !== true ? await unprivilegedFor(config) : undefined;
  const giveUpRoot = (): void => {
    if (unprivileged === undefined) return;
    dropPrivileges(unprivileged);
    log.info({ user: unprivileged.user, groups: unprivileged.groups }, 'gave up root');
    if (unprivileged.groups.includes(0))
      log.warn("an agent's socket is of the group root, so the gateway keeps that group: make the group setkeeper");
  };

  const agentNames = config.agents.map(({ name }) => name);
  const scheme = tls === undefined ? 'http' : 'https';
  const leases = createStreamLeases((visitor) => logins.current(visitor));
  const metrics = createGatewayMetrics(version, () => leases.count);
  const database = config.logins === 'off' ? undefined : openAccountStore(config.store);
  const logins: Logins =
    database === undefined
      ? createNoLogins(agentNames)
      : await createLogins({
          database,
          store: config.store,
          signingKey,
          limits: {
            idleMs: config.session.idleMinutes * 60_000,
            absoluteMs: config.session.absoluteHours * 3_600_000,
          },
          isEncrypted: tls !== undefined || config.origins.some((origin) => origin.startsWith('https:')),
          agents: agentNames,
          leases,
          metrics,
          now: () => Date.now(),
        });
  if (unprivileged !== undefined && logins.isOn) handOverStore(config.store, unprivileged);
  const app = createServer({
    agents: [first, ...others],
    leases,
    logins,
    console,
    policy: { isLoopback: config.listen.isLoopback, scheme, origins: config.origins },
    isBehindProxy: tls === undefined && !config.listen.isLoopback,
    isTrustedProxy: trustedProxies(config.trustedProxies),
    metrics,
    metricsAreOpen: config.metrics === 'open',
    log,
    ...(tls === undefined ? {} : { tls }),
  });
  // Whatever is loaded late is loaded here: afterwards this user may not be able to read its own program's folder.
  await app.ready();
  if (!isPrivilegedPort) giveUpRoot();
  await app.listen({ host: config.listen.host, port: config.listen.port }).catch((error: NodeJS.ErrnoException) => {
    throw listenFailure(config, error);
  });
  if (isPrivilegedPort) giveUpRoot();

  const reports = database === undefined ? undefined : createAccountReports({ database, links, log });
  const renewal = setInterval(() => void leases.renew(), renewalSeconds * 1000);
  renewal.unref();
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.listen.port;
  const url = `${scheme}://${isIPv6(config.listen.host) ? `[${config.listen.host}]` : config.listen.host}:${port}`;
  if (logins.codeFile !== undefined)
    log.warn(
      { file: logins.codeFile },
      `there is no user yet: open ${url}/login/ and type the one-time code that this file holds`,
    );
  if (!logins.isOn) log.warn(`logins are off: everybody on this machine who opens ${url} is the operator "local"`);
  log.info({ url, agents: agentNames, publicKey: signingKey.publicKey, kid: signingKey.kid }, 'the console is served');
  return {
    url,
    port,
    async stop() {
      clearInterval(renewal);
      await app.close();
      await reports?.report();
      reports?.close();
      await Promise.all(links.map((link: AgentLink) => link.close()));
      logins.close();
    },
  };
}

async function unprivilegedFor(config: GatewayConfig) {
  const sockets = config.agents.map(({ socket }) => socket);
  const endsAt = performance.now() + socketPatienceMs;
  while (!sockets.every((socket) => existsSync(socket)) && performance.now() < endsAt) await delay(100);
  return planUnprivileged(sockets);
}

/** Which peers are proxies whose headers are believed. */
function trustedProxies(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/iu, '');
    return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}

function listenFailure({ listen }: GatewayConfig, error: NodeJS.ErrnoException): Error {
  const place = `${listen.host}:${listen.port}`;
  if (error.code === 'EADDRINUSE')
    return new Error(`${place} is taken by another program. Stop it, or choose another port (gateway.yaml: listen).`);
  if (error.code === 'EACCES') return new Error(`this user may not listen on ${place}. Choose a port from 1024 on.`);
  if (error.code === 'EADDRNOTAVAIL') return new Error(`this machine has no address ${listen.host}.`);
  return error;
}

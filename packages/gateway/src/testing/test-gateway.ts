import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pino } from 'pino';
import { createAgentLink } from '../agents/agent-link.ts';
import { createStreamLeases, type StreamLeases } from '../agents/stream-leases.ts';
import { readConsoleFiles } from '../console/console-files.ts';
import type { SigningKey } from '../identity/signing-key.ts';
import type { Logins } from '../logins/logins.ts';
import { createNoLogins } from '../logins/no-logins.ts';
import { createGatewayMetrics, type GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { createServer, type ServerParameters } from '../server.ts';

/** A gateway that listens on a free port of 127.0.0.1. */
export interface TestGateway {
  readonly url: string;
  readonly port: number;
  readonly leases: StreamLeases;
  close(): Promise<void>;
}

/** Starts the real server in front of the given sockets. */
export async function startTestGateway(
  key: SigningKey,
  agents: readonly { readonly name: string; readonly socket: string }[],
  o: {
    readonly logins?: (o: {
      leases: StreamLeases;
      metrics: GatewayMetrics;
      agents: readonly string[];
    }) => Promise<Logins>;
    readonly pages?: Readonly<Record<string, string>>;
    readonly server?: Partial<ServerParameters>;
  } = {},
): Promise<TestGateway> {
  const folder = consoleFolder(o.pages ?? {});
  const names = agents.map(({ name }) => name);
  const leases: StreamLeases = createStreamLeases((visitor) => logins.current(visitor));
  const metrics = createGatewayMetrics('0.0.0-test', () => leases.count);
  const logins = (await o.logins?.({ leases, metrics, agents: names })) ?? createNoLogins(names);
  const [first, ...others] = agents.map((agent) => createAgentLink(agent, key));
  if (first === undefined) throw new Error('a gateway has an agent');
  const app = createServer({
    agents: [first, ...others],
    leases,
    logins,
    console: readConsoleFiles(folder),
    policy: { isLoopback: true, scheme: 'http', origins: [] },
    isBehindProxy: false,
    isTrustedProxy: () => false,
    metrics,
    metricsAreOpen: true,
    log: pino({ level: 'silent' }),
    ...o.server,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    port: Number(new URL(url).port),
    leases,
    async close() {
      await app.close();
      await Promise.all([first, ...others].map((link) => link.close()));
      logins.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function consoleFolder(pages: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'setkeeper-console-'));
  for (const [name, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

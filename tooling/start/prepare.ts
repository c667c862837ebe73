import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { bootDirectory, hostAgentConfig, observingAgentConfig, privateAgentConfig } from './agent-config.ts';
import { gatewayView } from './gateway-command.ts';
import { gatewayConfig, gatewayFiles } from './gateway-config.ts';
import type { Layout } from './layout.ts';
import type { StartMode } from './options.ts';
import { exampleModel } from './preflight.ts';
import { Sentence } from './sentence.ts';
import { newSigningKey, type SigningKey, signingKeyFrom } from './signing-key.ts';

/** What is to be prepared. */
export interface Preparation {
  readonly layout: Layout;
  readonly mode: StartMode;
  readonly port: number;
  /** Used in `private` mode. */
  readonly model: string;
  readonly logins: boolean;
}

/** Where the prepared agent will listen, and its name. */
export interface PreparedAgent {
  readonly host: string;
  readonly agentSocket: string;
  readonly adminSocket: string;
}

const exampleHost = 'node-a';

/** Where `--host` finds the host's own configuration. */
export const hostConfigPath = '/etc/setkeeper/agent.yaml';

/** Writes everything that the two programs read: directories, keys, `agent.yaml`, `gateway.yaml`. */
export function prepare({ layout, mode, port, model, logins }: Preparation): PreparedAgent {
  mkdirSync(layout.stateDirectory, { recursive: true, mode: 0o711 });
  chmodSync(layout.stateDirectory, 0o711);
  mkdirSync(layout.runtimeDirectory, { recursive: true });
  chmodSync(layout.runtimeDirectory, 0o711);
  const view = gatewayView(layout);
  for (const folder of Object.values(view)) mkdirSync(folder, { recursive: true, mode: 0o755 });
  mkdirSync(layout.gatewayState, { recursive: true, mode: 0o700 });

  const key = gatewayKey(layout);
  const agent = writeAgentConfig(layout, mode, model, key);
  writePrivate(
    join(layout.gatewayState, gatewayFiles.config),
    gatewayConfig({ view, port, host: agent.host, agentSocket: agent.agentSocket, kid: key.kid, logins }),
  );
  for (const name of readdirSync(layout.gatewayState)) {
    chownSync(join(layout.gatewayState, name), layout.gatewayUser, layout.gatewayUser);
  }
  chownSync(layout.gatewayState, layout.gatewayUser, layout.gatewayUser);
  return agent;
}

function writeAgentConfig(layout: Layout, mode: StartMode, model: string, key: SigningKey): PreparedAgent {
  if (mode === 'host') {
    if (!existsSync(hostConfigPath)) {
      throw new Sentence(
        `${hostConfigPath} does not exist, and --host programs this host's own sets as it says.`,
        'Write it, or look without writing anything: ./start --observe',
      );
    }
    const { text, ...agent } = hostAgentConfig(readFileSync(hostConfigPath, 'utf8'), hostConfigPath, hostname(), key);
    writePrivate(layout.agentConfig, text);
    return agent;
  }
  // The example's policies name its hosts, so it is played on one of them; any other model is this machine's.
  const host = mode === 'private' && model === exampleModel(layout.root) ? exampleHost : hostname();
  const input = { layout, host, key };
  mkdirSync(bootDirectory(layout, mode), { recursive: true, mode: 0o700 });
  writePrivate(layout.agentConfig, mode === 'observe' ? observingAgentConfig(input) : privateAgentConfig(input, model));
  return { host, agentSocket: layout.agentSocket, adminSocket: layout.adminSocket };
}

/** The key of the last start if it still is one: what it signed stays valid. */
function gatewayKey(layout: Layout): SigningKey {
  const path = join(layout.gatewayState, gatewayFiles.signingKey);
  try {
    return signingKeyFrom(readFileSync(path, 'utf8'));
  } catch {
    const key = newSigningKey();
    writePrivate(path, key.privatePem);
    return key;
  }
}

function writePrivate(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600);
}

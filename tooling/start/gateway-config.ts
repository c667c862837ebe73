import { join } from 'node:path';
import { stringify } from 'yaml';
import type { GatewayView } from './gateway-command.ts';

/** What `gateway.yaml` of a start depends on. */
export interface GatewayConfigInput {
  readonly view: GatewayView;
  readonly port: number;
  /** The agent's own name, which is how the gateway's addresses call it. */
  readonly host: string;
  readonly agentSocket: string;
  readonly kid: string;
  readonly logins: boolean;
}

/** File names inside the gateway's state directory; the one-time code is the gateway's to write. */
export const gatewayFiles = {
  config: 'gateway.yaml',
  signingKey: 'signing-key.pem',
  store: 'gateway.db',
  firstAdminCode: 'first-admin-code',
} as const;

/** The configuration of a gateway that serves this machine alone, with every path as the gateway sees it. */
export function gatewayConfig({ view, port, host, agentSocket, kid, logins }: GatewayConfigInput): string {
  return stringify({
    listen: `127.0.0.1:${port}`,
    console: view.console,
    agents: [{ name: host, socket: agentSocket }],
    store: join(view.state, gatewayFiles.store),
    logins: logins ? 'on' : 'off',
    signingKey: { file: join(view.state, gatewayFiles.signingKey), kid },
  });
}

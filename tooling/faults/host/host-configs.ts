import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name of the agent's host. */
const HOST = 'node-f';

export interface HostConfigs {
  readonly folder: string;
  readonly stores: { readonly agent: string; readonly gateway: string };
  readonly port: number;
  /** Laid over the agent's. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** Writes what agent and gateway are configured with, and the key that joins them. JSON is YAML too. */
export function writeConfigs({ folder, stores, port, config }: HostConfigs): {
  readonly agent: string;
  readonly gateway: string;
} {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = createPublicKey(pem).export({ format: 'jwk' }).x;
  const files = { agent: join(folder, 'agent.yaml'), gateway: join(folder, 'gateway.yaml') };
  writeFileSync(join(folder, 'key.pem'), pem, { mode: 0o600 });
  writeFileSync(
    files.agent,
    JSON.stringify({
      host: HOST,
      socket: join(folder, 'agent.sock'),
      adminSocket: join(folder, 'admin.sock'),
      store: stores.agent,
      boot: { directory: join(folder, 'boot.d'), everySeconds: 1 },
      guard: 'off',
      sources: [{ directory: { path: join(folder, 'model'), quietMs: 20 } }, { declared: {} }],
      trust: { gatewayKeys: [{ kid: 'faults', key, maxRole: 'admin' }] },
      ...config,
    }),
  );
  writeFileSync(
    files.gateway,
    JSON.stringify({
      listen: `127.0.0.1:${port}`,
      console: join(folder, 'console'),
      agents: [{ name: HOST, socket: join(folder, 'agent.sock') }],
      store: stores.gateway,
      signingKey: { file: join(folder, 'key.pem'), kid: 'faults' },
    }),
  );
  return files;
}

import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { stringify } from 'yaml';
import { type AgentUnderTest, withAgent } from './agent-under-test.ts';
import { waitUntil } from './wait-until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Starts an agent on documents with a gateway in front of it, without logins, and hands over the console's address. */
export async function withConsole<T>(
  options: Parameters<typeof withAgent>[0],
  use: (url: string, agent: AgentUnderTest) => Promise<T>,
): Promise<T> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const key = createPublicKey(pem).export({ format: 'jwk' }).x;
  const trust = { gatewayKeys: [{ kid: 'bench', key, maxRole: 'operator' }] };
  return withAgent({ ...options, config: { ...options.config, trust } }, async (agent) => {
    const folder = await mkdtemp(join(tmpdir(), 'sk-bench-gateway-'));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    // The gateway gives up root, and has to reach the agent's socket as nobody.
    await chmod(agent.folder, 0o755);
    await mkdir(join(folder, 'store'));
    await writeFile(join(folder, 'key.pem'), pem, { mode: 0o600 });
    const config = {
      listen: `127.0.0.1:${port}`,
      console: join(root, 'apps/console/out'),
      agents: [{ name: 'bench', socket: join(agent.folder, 'agent.sock') }],
      store: join(folder, 'store/gateway.db'),
      logins: 'off',
      signingKey: { file: join(folder, 'key.pem'), kid: 'bench' },
    };
    await writeFile(join(folder, 'gateway.yaml'), stringify(config));
    const program = join(root, 'packages/gateway/dist/gateway.js');
    const gateway = execa(process.execPath, [program, '--config', join(folder, 'gateway.yaml')], {
      reject: false,
      stdout: 'ignore',
      stderr: 'ignore',
    });
    try {
      await waitUntil('an answer of the gateway', () => answerOf(url));
      return await use(url, agent);
    } finally {
      gateway.kill('SIGTERM');
      await gateway;
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function answerOf(url: string): Promise<true | undefined> {
  const response = await fetch(`${url}/api/trpc/status.get`).catch(() => undefined);
  return response?.ok === true ? true : undefined;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IdentityClaims, identityType, requestDigest } from '@setkeeper/api';
import { compactVerify } from 'jose';
import type { SigningKey } from '../identity/signing-key.ts';

/** A key pair as a gateway has it. */
export function testSigningKey(): SigningKey & { readonly verifyWith: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    kid: 'test',
    key: privateKey,
    verifyWith: publicKey,
    publicKey: String(publicKey.export({ format: 'jwk' }).x),
  };
}

/** A request that reached the agent, with its proved statement. */
export interface AskedRequest {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly headers: IncomingMessage['headers'];
  readonly claims: IdentityClaims;
}

/** A socket that proves statements as an agent does, and answers as a test says. */
export interface FakeAgent {
  readonly socket: string;
  readonly asked: readonly AskedRequest[];
  close(): Promise<void>;
}

/** Starts one; `answer` writes the whole response. */
export async function startFakeAgent(
  key: { readonly verifyWith: KeyObject },
  answer: (request: AskedRequest, response: ServerResponse) => void = (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":{"data":1}}'),
): Promise<FakeAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'setkeeper-gw-'));
  const socket = join(folder, 'a.sock');
  const asked: AskedRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const jws = request.headers.authorization?.replace(/^Bearer /u, '') ?? '';
    const { payload, protectedHeader } = await compactVerify(jws, key.verifyWith, { algorithms: ['EdDSA'] });
    const claims = IdentityClaims.parse(JSON.parse(new TextDecoder().decode(payload)));
    const { method = '', url = '' } = request;
    const isBound = method === 'GET' || claims.req === requestDigest(method, url, body);
    if (protectedHeader.typ !== identityType || !isBound) {
      response.writeHead(401).end();
      return;
    }
    const entry = { method, url, body: body.toString('utf8'), headers: request.headers, claims };
    asked.push(entry);
    answer(entry, response);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
